import { Alert, Anchor, Button, Checkbox, PasswordInput, type CheckboxProps } from '@mantine/core'
import { Link } from 'react-router-dom'
import { useServerConfig } from '../../shared/config.ts'
import { EmailField, NameFields, UsernameField } from '../../shared/form/user-fields.tsx'
import { StrengthMeter } from '../../shared/password/strength-meter.tsx'
import { AuthLayout } from './auth-layout.tsx'
import classes from './auth.module.css'
import { useRegister } from './use-register.ts'

interface RegisterViewProps {
  onRegistered: (email: string) => void
  onLogin: () => void
}

/** Registration (accounts specification, section 2). */
export function RegisterView({ onRegistered, onLogin }: RegisterViewProps) {
  const config = useServerConfig()
  const { form, submit, isBusy, generalError } = useRegister(onRegistered)

  return (
    <AuthLayout title="Create Account" subtitle="Verify your e-mail, set up two-factor, and start listening.">
      <form onSubmit={submit} noValidate className={classes.fields}>
        {generalError && (
          <Alert role="alert" color="red">
            {generalError}
          </Alert>
        )}
        <div className={classes.pair}>
          <NameFields form={form} isOwn focusOn="page" />
        </div>
        <EmailField
          form={form}
          autoComplete="email"
          required
          description={config?.registration === 'domains' && `Of ${config.registration_domains.join(', ')}`}
        />
        <UsernameField form={form} autoComplete="username" />
        <PasswordInput
          label="Password"
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
          {...form.getInputProps('password')}
        />
        <StrengthMeter password={form.values.password} />
        <PasswordInput
          label="Confirm password"
          autoComplete="new-password"
          required
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the confirmation', tabIndex: 0 }}
          {...form.getInputProps('confirmation')}
        />
        <TermsBox {...form.getInputProps('isAgreed', { type: 'checkbox' })} />
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

function TermsBox(props: CheckboxProps) {
  return (
    <Checkbox
      {...props}
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
