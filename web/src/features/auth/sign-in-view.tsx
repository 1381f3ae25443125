import { lazy, startTransition, Suspense, useState } from 'react'
import type { OfferedProvider } from '#contract/entities/offered-provider.ts'
import { passkeyObstacle } from '../security/passkeys-support.ts'
import { AuthLayout } from './auth-layout.tsx'
import { CodeForm } from './code-form.tsx'
import { PasskeyButton, PasskeyStep } from './passkey-button.tsx'
import { PasswordForm } from './password-form.tsx'
import { SignInError } from './sign-in-error.tsx'
import { useSignIn, type Credentials } from './use-sign-in.ts'

// Few visitors have an address to verify.
const VerificationPending = lazy(async () => ({
  default: (await import('./verification-pending.tsx')).VerificationPending,
}))

// Many servers know no directory.
const DirectoryView = lazy(async () => ({ default: (await import('./directory-view.tsx')).DirectoryView }))

const titles = {
  password: { title: 'Welcome Back', subtitle: 'Sign in to your recordings.' },
  two_factor: { title: 'Two-Factor Authentication', subtitle: 'Enter the code of your authenticator app.' },
  passkey: { title: 'Two-Factor Authentication', subtitle: 'Your passkey shows that it is you.' },
  verification: { title: 'Email Verification Required', subtitle: 'One step is missing before you can sign in.' },
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
  const passkey = {
    isBusy: signIn.busyWith === 'passkey',
    onClick: () => signIn.submitPasskey(credentials.remember_me),
  }
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
      {isPasskeyOnly && <PasskeyStep error={error} {...passkey} onBack={signIn.backToPassword} />}
      {signIn.mode === 'two_factor' && !isPasskeyOnly && (
        <CodeForm
          error={error}
          isBusy={signIn.busyWith === 'password'}
          lockSecondsLeft={signIn.lockSecondsLeft}
          onSubmit={(code) => signIn.submit(credentials, code)}
          alternative={
            signIn.methods.includes('passkey') &&
            !passkeyObstacle() && <PasskeyButton {...passkey}>Use your passkey</PasskeyButton>
          }
          onBack={signIn.backToPassword}
        />
      )}
      {signIn.mode === 'verification' && (
        <Suspense>
          <VerificationPending email={credentials.email} message={signIn.notice} onBack={signIn.backToPassword} />
        </Suspense>
      )}
    </AuthLayout>
  )
}
