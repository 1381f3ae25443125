import { lazy, startTransition, Suspense, useState } from 'react'
import type { OfferedProvider } from '#contract/entities/offered-provider.ts'
import { t } from '#contract/texts/t.ts'
import { AuthLayout } from './auth-layout.tsx'
import { PasswordForm } from './password-form.tsx'
import { SignInError } from './sign-in-error.tsx'
import { useSignIn, type Credentials } from './use-sign-in.ts'

// Few visitors have an address to verify.
const VerificationPending = lazy(async () => ({
  default: (await import('./verification-pending.tsx')).VerificationPending,
}))

// What comes after the password need not come before it.
const SecondFactorStep = lazy(async () => ({ default: (await import('./second-factor-step.tsx')).SecondFactorStep }))

// Many servers know no directory.
const DirectoryView = lazy(async () => ({ default: (await import('./directory-view.tsx')).DirectoryView }))

const titles = {
  password: { title: t('Welcome Back'), subtitle: t('Sign in to your recordings.') },
  two_factor: { title: t('Two-Factor Authentication'), subtitle: t('Enter the code of your authenticator app.') },
  passkey: { title: t('Two-Factor Authentication'), subtitle: t('Your passkey shows that it is you.') },
  verification: { title: t('Email Verification Required'), subtitle: t('One step is missing before you can sign in.') },
}

interface SignInViewProps {
  onForgot: () => void
  onRegister: () => void
}

/** Sign-in with its three sub-modes (accounts specification, section 2). */
export function SignInView({ onForgot, onRegister }: SignInViewProps) {
  const signIn = useSignIn()
  const [credentials, setCredentials] = useState<Credentials>({ email: '', password: '', remember_me: false })
  const [directory, setDirectory] = useState<{ provider: OfferedProvider; rememberMe: boolean }>()
  if (directory) {
    return (
      <Suspense>
        <DirectoryView {...directory} onBack={() => setDirectory(undefined)} />
      </Suspense>
    )
  }
  const error = (
    <SignInError
      message={signIn.error}
      failedAttempts={signIn.failedAttempts}
      lockSecondsLeft={signIn.lockSecondsLeft}
      onDismiss={signIn.dismissError}
    />
  )
  const isPasskeyOnly = signIn.mode === 'two_factor' && !signIn.methods.includes('code')
  return (
    <AuthLayout {...titles[isPasskeyOnly ? 'passkey' : signIn.mode]}>
      {signIn.mode === 'password' && (
        <PasswordForm
          initial={credentials}
          error={error}
          busyWith={signIn.busyWith}
          lockSecondsLeft={signIn.lockSecondsLeft}
          onSubmit={(entered) => {
            setCredentials(entered)
            signIn.submit(entered)
          }}
          onPasskey={signIn.submitPasskey}
          onForgot={onForgot}
          onRegister={onRegister}
          // The form stays until the other one is loaded.
          onDirectory={(provider, rememberMe) => startTransition(() => setDirectory({ provider, rememberMe }))}
        />
      )}
      {signIn.mode === 'two_factor' && (
        <Suspense>
          <SecondFactorStep
            methods={signIn.methods}
            error={error}
            isBusy={signIn.busyWith === 'password'}
            isPasskeyBusy={signIn.busyWith === 'passkey'}
            lockSecondsLeft={signIn.lockSecondsLeft}
            onSubmit={(code) => signIn.submit(credentials, code)}
            onPasskey={() => signIn.submitPasskey(credentials.remember_me)}
            onBack={signIn.backToPassword}
          />
        </Suspense>
      )}
      {signIn.mode === 'verification' && (
        <Suspense>
          <VerificationPending email={credentials.email} message={signIn.notice} onBack={signIn.backToPassword} />
        </Suspense>
      )}
    </AuthLayout>
  )
}
