import { Button, PasswordInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { PasswordChecklist } from '../../shared/password/password-checklist.tsx'
import { resetRules } from '../../shared/password/rules.ts'
import classes from './auth.module.css'

interface NewPasswordFieldsProps {
  isBusy: boolean
  onSubmit: (password: string, confirmation: string) => void
}

/** A new password typed twice, with its rules. */
export function NewPasswordFields({ isBusy, onSubmit }: NewPasswordFieldsProps) {
  const [password, setPassword] = useState('')
  const [confirmation, setConfirmation] = useState('')
  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit(password, confirmation)
  }
  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      <PasswordInput
        label="New password"
        autoComplete="new-password"
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password', tabIndex: 0 }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordInput
        label="Confirm new password"
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the confirmation', tabIndex: 0 }}
        value={confirmation}
        onChange={(event) => setConfirmation(event.currentTarget.value)}
      />
      <PasswordChecklist password={password} rules={resetRules} />
      <Button type="submit" size="md" fullWidth loading={isBusy}>
        Reset Password
      </Button>
    </form>
  )
}
