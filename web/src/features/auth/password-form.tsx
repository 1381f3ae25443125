import { Anchor, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { auth } from '#contract/endpoints/auth.ts'
import { useServerConfig } from '../../shared/config.ts'
import { validateInput } from '../../shared/form/form-errors.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import classes from './auth.module.css'
import type { Credentials } from './use-sign-in.ts'

interface PasswordFormProps {
  initial: Credentials
  error: ReactNode
  isBusy: boolean
  lockSecondsLeft: number
  onSubmit: (credentials: Credentials) => void
  onForgot: () => void
  onRegister: () => void
  /** Buttons of other ways to sign in, where the server offers some. */
  otherWays?: (rememberMe: boolean) => ReactNode
}

/** E-mail and password. While the account is locked the button is disabled; `error` shows the countdown. */
export function PasswordForm(props: PasswordFormProps) {
  const { initial, error, isBusy, lockSecondsLeft, onSubmit, onForgot, onRegister, otherWays } = props
  const config = useServerConfig()
  const { form, submit } = useMutationForm({
    initialValues: initial,
    validate: (values) => validateInput(auth.signIn.body, values),
    send: async (values) => onSubmit({ ...values, email: values.email.trim() }),
  })

  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      {error}
      <TextInput label="Email" type="email" autoComplete="username" autoFocus {...form.getInputProps('email')} />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
        {...form.getInputProps('password')}
      />
      <div className={classes.row}>
        <Checkbox label="Remember me" {...form.getInputProps('remember_me', { type: 'checkbox' })} />
        <Anchor component="button" type="button" size="sm" onClick={onForgot}>
          Forgot password?
        </Anchor>
      </div>
      <Button type="submit" size="md" fullWidth loading={isBusy} disabled={lockSecondsLeft > 0}>
        {lockSecondsLeft > 0 ? 'Account Locked' : 'Sign In'}
      </Button>
      {otherWays?.(form.values.remember_me)}
      {config?.registration !== 'closed' && (
        <p className={classes.switch}>
          New here?{' '}
          <Anchor component="button" type="button" size="sm" onClick={onRegister}>
            Create an account
          </Anchor>
        </p>
      )}
    </form>
  )
}
