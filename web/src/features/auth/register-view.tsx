import { Alert, Anchor, Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { Link } from 'react-router-dom'
import { useServerConfig } from '../../shared/config.ts'
import { StrengthMeter } from '../../shared/password/strength-meter.tsx'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { useRegister, type Registration } from './use-register.ts'

const empty: Registration = {
  first_name: '',
  last_name: '',
  email: '',
  username: '',
  password: '',
  confirmation: '',
  isAgreed: false,
}

interface RegisterViewProps {
  onRegistered: (email: string) => void
  onLogin: () => void
}

/** Registration (accounts specification, section 2). */
export function RegisterView({ onRegistered, onLogin }: RegisterViewProps) {
  const [entered, setEntered] = useState(empty)
  const config = useServerConfig()
  const { faults, isBusy, submit } = useRegister(onRegistered)
  const field = (name: Exclude<keyof Registration, 'isAgreed'>) => ({
    value: entered[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setEntered({ ...entered, [name]: event.currentTarget.value }),
  })

  function onSubmit(event: FormEvent) {
    event.preventDefault()
    void submit(entered)
  }

  return (
    <AuthLayout title="Create Account" subtitle="Verify your e-mail, set up two-factor, and start listening.">
      <form onSubmit={onSubmit} noValidate className={classes.fields}>
        {faults.general && (
          <Alert role="alert" color="red">
            {faults.general}
          </Alert>
        )}
        <div className={classes.pair}>
          <TextInput label="First name" autoComplete="given-name" autoFocus {...field('first_name')} />
          <TextInput label="Last name" autoComplete="family-name" {...field('last_name')} />
        </div>
        <TextInput
          label="Email"
          type="email"
          autoComplete="email"
          required
          description={config?.registration === 'domains' && `Of ${config.registration_domains.join(', ')}`}
          error={faults.email}
          {...field('email')}
        />
        <TextInput label="Username" autoComplete="username" required error={faults.username} {...field('username')} />
        <PasswordInput
          label="Password"
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
          error={faults.password}
          {...field('password')}
        />
        <StrengthMeter password={entered.password} />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the confirmation', tabIndex: 0 }}
          error={faults.confirmation}
          {...field('confirmation')}
        />
        <TermsBox
          isAgreed={entered.isAgreed}
          fault={faults.isAgreed}
          onChange={(isAgreed) => setEntered({ ...entered, isAgreed })}
        />
        <Button type="submit" size="md" fullWidth loading={isBusy}>
          Create Account
        </Button>
        <p className={classes.switch}>
          Already have an account?{' '}
          <Anchor component="button" type="button" size="sm" onClick={onLogin}>
            Sign in
          </Anchor>
        </p>
      </form>
    </AuthLayout>
  )
}

interface TermsBoxProps {
  isAgreed: boolean
  fault: string | undefined
  onChange: (isAgreed: boolean) => void
}

function TermsBox({ isAgreed, fault, onChange }: TermsBoxProps) {
  return (
    <Checkbox
      checked={isAgreed}
      error={fault}
      onChange={(event) => onChange(event.currentTarget.checked)}
      label={
        <>
          I agree to the{' '}
          <Anchor component={Link} to="/terms" target="_blank" inherit>
            Terms of Service
          </Anchor>{' '}
          and the{' '}
          <Anchor component={Link} to="/privacy" target="_blank" inherit>
            Privacy Policy
          </Anchor>
        </>
      }
    />
  )
}
