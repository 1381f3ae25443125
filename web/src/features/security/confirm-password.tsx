import { Button, PasswordInput, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { saveTokens } from '../../shared/api/tokens.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { useUser } from '../../shared/session/session.ts'
import classes from './security.module.css'
import { SignInAgain } from './sign-in-again.tsx'

interface ConfirmPasswordProps {
  /** What is going to happen. Default: nothing but the request for the password. */
  children?: ReactNode
  confirmLabel: string
  isDangerous?: boolean
  onConfirmed: () => void | Promise<void>
  onCancel: () => void
}

/** Asks for the password again, and for a new sign-in where the user has none. */
export function ConfirmPassword(props: ConfirmPasswordProps) {
  return useUser().has_password ? <PasswordAgain {...props} /> : <SignInAgain {...props} />
}

/** The server issues new tokens for the password and revokes the previous ones, in every tab. */
function PasswordAgain({ children, confirmLabel, isDangerous, onConfirmed, onCancel }: ConfirmPasswordProps) {
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { password: '' },
    send: async (values) => {
      saveTokens(await call(profile.confirmPassword, { body: values }))
      await onConfirmed()
    },
    sortErrors: (error) => ({ fields: { password: messageOf(error, 'Network error. Please try again.') } }),
  })

  return (
    <form onSubmit={submit} noValidate className={classes.form}>
      <Text>{children ?? 'Please enter your password to go on.'}</Text>
      <PasswordInput
        label="Your password"
        autoComplete="current-password"
        data-autofocus
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide: Your password', tabIndex: 0 }}
        {...form.getInputProps('password')}
      />
      <div className={classes.actions}>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          type="submit"
          color={isDangerous ? 'red' : undefined}
          loading={isBusy}
          disabled={form.values.password === ''}
        >
          {confirmLabel}
        </Button>
      </div>
    </form>
  )
}

interface PasswordGateProps {
  /** Shown once the password was confirmed. */
  children: ReactNode
  onCancel: () => void
}

/** Asks for the password before it shows its children. */
export function PasswordGate({ children, onCancel }: PasswordGateProps) {
  const [isOpen, setIsOpen] = useState(false)
  if (isOpen) return children
  return <ConfirmPassword confirmLabel="Continue" onConfirmed={() => setIsOpen(true)} onCancel={onCancel} />
}
