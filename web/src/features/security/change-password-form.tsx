import { Button, List, PasswordInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { profile } from '#contract/endpoints/profile.ts'
import { isSessionExpired, messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { saveTokens } from '../../shared/api/tokens.ts'
import { PasswordChecklist } from '../../shared/password/password-checklist.tsx'
import { changeRules, faultsOf } from '../../shared/password/rules.ts'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import classes from './security.module.css'

const empty = { current: '', next: '', confirmation: '' }

/** A new password by the rules of accounts specification, section 5; sent only without fault and mismatch. */
export function ChangePasswordForm() {
  const { setUser } = useSessionActions()
  const [entered, setEntered] = useState(empty)
  const [isBusy, setIsBusy] = useState(false)
  const faults = entered.next ? faultsOf(entered.next, changeRules) : []
  const isMismatch = entered.confirmation !== '' && entered.confirmation !== entered.next
  const isComplete = Boolean(entered.current && entered.next) && entered.next === entered.confirmation
  const field = (name: keyof typeof empty, label: string, autoComplete: string) => ({
    label,
    autoComplete,
    value: entered[name],
    visibilityToggleButtonProps: { 'aria-label': `Show or hide: ${label}`, tabIndex: 0 },
    onChange: (event: { currentTarget: { value: string } }) =>
      setEntered({ ...entered, [name]: event.currentTarget.value }),
  })

  async function save(event: FormEvent) {
    event.preventDefault()
    setIsBusy(true)
    try {
      const body = { current_password: entered.current, new_password: entered.next }
      const { user, ...tokens } = await call(profile.changePassword, { body })
      saveTokens(tokens)
      setEntered(empty)
      toastSuccess('Password changed successfully')
      setUser(user)
    } catch (error) {
      if (!isSessionExpired(error)) toastError(messageOf(error, 'Failed to change password'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <form onSubmit={(event) => void save(event)} noValidate className={classes.form}>
      <PasswordInput {...field('current', 'Current password', 'current-password')} />
      <PasswordInput {...field('next', 'New password', 'new-password')} error={faults.length > 0} />
      {faults.length > 0 && (
        <List size="sm" c="var(--mantine-color-error)" role="alert">
          {faults.map((fault) => (
            <List.Item key={fault}>{fault}</List.Item>
          ))}
        </List>
      )}
      <PasswordInput
        {...field('confirmation', 'Confirm new password', 'new-password')}
        error={isMismatch && 'Passwords do not match'}
      />
      {faults.length === 0 && <PasswordChecklist password={entered.next} rules={changeRules} />}
      <Button type="submit" className={classes.end} loading={isBusy} disabled={!isComplete || faults.length > 0}>
        Change Password
      </Button>
    </form>
  )
}
