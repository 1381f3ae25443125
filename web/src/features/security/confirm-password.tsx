import { Button, PasswordInput, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { saveTokens } from '../../shared/api/tokens.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import classes from './security.module.css'

interface ConfirmPasswordProps {
  /** What the password is needed for. */
  children: ReactNode
  confirmLabel: string
  isDangerous?: boolean
  onConfirmed: () => void | Promise<void>
  onCancel: () => void
}

/** Asks for the password again. The server issues new tokens and revokes the previous ones, in every tab. */
export function ConfirmPassword({ children, confirmLabel, isDangerous, onConfirmed, onCancel }: ConfirmPasswordProps) {
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
      <Text>{children}</Text>
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
  return (
    <ConfirmPassword confirmLabel="Continue" onConfirmed={() => setIsOpen(true)} onCancel={onCancel}>
      Please enter your password to go on.
    </ConfirmPassword>
  )
}
