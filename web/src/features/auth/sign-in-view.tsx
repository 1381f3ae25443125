import { lazy, startTransition, Suspense, useState, type ReactNode } from 'react'
import { Anchor, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import type { OfferedProvider } from '#contract/entities/offered-provider.ts'
import { t } from '#contract/texts/t.ts'
import { auth } from '#contract/endpoints/auth.ts'
import { useServerConfig } from '../../shared/config.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { canUsePasskeys } from '../security/passkeys-support.ts'
import { AuthLayout } from './auth-layout.tsx'
import { SignInError } from './sign-in-error.tsx'
import { useSignIn, type Credentials } from './use-sign-in.ts'
import classes from './auth.module.css'

// Few visitors have an address to verify.
const VerificationPending = lazy(async () => ({
  default: (await import('./verification-pending.tsx')).VerificationPending,
}))

// Not needed before the password is accepted.
const SecondFactorStep = lazy(async () => ({ default: (await import('./second-factor-step.tsx')).SecondFactorStep }))

// Many servers have no directory.
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

// Many servers offer no provider.
const ProviderButtons = lazy(async () => ({ default: (await import('./provider-buttons.tsx')).ProviderButtons }))

interface PasswordFormProps {
  initial: Credentials
  error: ReactNode
  /** The sign-in in progress. */
  busyWith: 'password' | 'passkey' | undefined
  lockSecondsLeft: number
  onSubmit: (credentials: Credentials) => void
  onPasskey: (rememberMe: boolean) => void
  onForgot: () => void
  onRegister: () => void
  /** Switches to the form of a directory. */
  onDirectory: (provider: OfferedProvider, rememberMe: boolean) => void
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

/** E-mail and password. While the account is locked, the button is disabled and `error` shows the countdown. */
function PasswordForm(props: PasswordFormProps) {
  const { initial, error, busyWith, lockSecondsLeft, onSubmit, onPasskey, onForgot, onRegister, onDirectory } = props
  const config = useServerConfig()
  const { form, submit } = useMutationForm({
    initialValues: initial,
    validate: (values) => validateInput(auth.signIn.body, values),
    send: async (values) => onSubmit({ ...values, email: values.email.trim() }),
  })
  const providers = config?.sign_in_providers ?? []
  const rememberMe = form.values.remember_me
  const hasPasskeys = canUsePasskeys()
  const linkToRegister = (children: ReactNode[]) => (
    <Anchor component="button" type="button" size="sm" onClick={onRegister}>
      {children}
    </Anchor>
  )

  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      {error}
      <TextInput label={t('Email')} type="email" autoComplete="username" autoFocus {...form.getInputProps('email')} />
      <PasswordInput
        label={t('Password')}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide password'), tabIndex: 0 }}
        {...form.getInputProps('password')}
      />
      <div className={classes.row}>
        <Checkbox label={t('Remember me')} {...form.getInputProps('remember_me', { type: 'checkbox' })} />
        <Anchor component="button" type="button" size="sm" onClick={onForgot}>
          {t('Forgot password?')}
        </Anchor>
      </div>
      <Button type="submit" size="md" fullWidth loading={busyWith === 'password'} disabled={lockSecondsLeft > 0}>
        {lockSecondsLeft > 0 ? t('Account Locked') : t('Sign In')}
      </Button>
      {(hasPasskeys || providers.length > 0) && <p className={classes.or}>{t('or')}</p>}
      {hasPasskeys && (
        <Button
          variant="default"
          size="md"
          fullWidth
          loading={busyWith === 'passkey'}
          onClick={() => onPasskey(rememberMe)}
        >
          {t('Sign in with a passkey')}
        </Button>
      )}
      {providers.length > 0 && (
        <Suspense>
          <ProviderButtons
            providers={providers}
            rememberMe={rememberMe}
            onDirectory={(provider) => onDirectory(provider, rememberMe)}
          />
        </Suspense>
      )}
      {config?.registration !== 'closed' && (
        <p className={classes.switch}>{rich('New here? <a>Create an account</a>', { a: linkToRegister })}</p>
      )}
    </form>
  )
}
