import { Anchor, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { lazy, Suspense, type ReactNode } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import type { OfferedProvider } from '#contract/entities/offered-provider.ts'
import { t } from '#contract/texts/t.ts'
import { useServerConfig } from '../../shared/config.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { rich } from '../../shared/texts/rich.tsx'
import { canUsePasskeys } from '../security/passkeys-support.ts'
import classes from './auth.module.css'
import type { Credentials } from './use-sign-in.ts'

// Many servers offer no provider.
const ProviderButtons = lazy(async () => ({ default: (await import('./provider-buttons.tsx')).ProviderButtons }))

interface PasswordFormProps {
  initial: Credentials
  error: ReactNode
  /** The sign-in that is in progress. */
  busyWith: 'password' | 'passkey' | undefined
  lockSecondsLeft: number
  onSubmit: (credentials: Credentials) => void
  onPasskey: (rememberMe: boolean) => void
  onForgot: () => void
  onRegister: () => void
  /** Switches to the form of a directory. */
  onDirectory: (provider: OfferedProvider, rememberMe: boolean) => void
}

/** E-mail and password. While the account is locked the button is disabled; `error` shows the countdown. */
export function PasswordForm(props: PasswordFormProps) {
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
