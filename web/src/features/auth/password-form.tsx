import { Anchor, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useState, type FormEvent, type ReactNode } from 'react'
import { useServerConfig } from '../../shared/config.ts'
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
}

type Faults = Partial<Record<'email' | 'password', string>>

/** Rules of accounts specification, section 5, "Sign-in". */
function faultsOf({ email, password }: Credentials): Faults {
  const faults: Faults = {}
  if (!email.trim()) faults.email = 'Email is required'
  else if (!looksLikeAddress(email)) faults.email = 'Please enter a valid email address'
  if (!password) faults.password = 'Password is required'
  else if (password.length < 6) faults.password = 'Password must be at least 6 characters'
  return faults
}

function looksLikeAddress(email: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())
}

/** E-mail and password. While the account is locked the button says so; the countdown stands in `error`. */
export function PasswordForm(props: PasswordFormProps) {
  const { initial, error, isBusy, lockSecondsLeft, onSubmit, onForgot, onRegister } = props
  const config = useServerConfig()
  const [entered, setEntered] = useState(initial)
  const [faults, setFaults] = useState<Faults>({})

  function submit(event: FormEvent) {
    event.preventDefault()
    const found = faultsOf(entered)
    setFaults(found)
    if (Object.keys(found).length === 0) onSubmit({ ...entered, email: entered.email.trim() })
  }

  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      {error}
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        value={entered.email}
        error={faults.email}
        onChange={(event) => setEntered({ ...entered, email: event.currentTarget.value })}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
        value={entered.password}
        error={faults.password}
        onChange={(event) => setEntered({ ...entered, password: event.currentTarget.value })}
      />
      <div className={classes.row}>
        <Checkbox
          label="Remember me"
          checked={entered.rememberMe}
          onChange={(event) => setEntered({ ...entered, rememberMe: event.currentTarget.checked })}
        />
        <Anchor component="button" type="button" size="sm" onClick={onForgot}>
          Forgot password?
        </Anchor>
      </div>
      <Button type="submit" size="md" fullWidth loading={isBusy} disabled={lockSecondsLeft > 0}>
        {lockSecondsLeft > 0 ? 'Account Locked' : 'Sign In'}
      </Button>
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
