import { Button, List, PasswordInput } from '@mantine/core'
import { profile } from '#contract/endpoints/profile.ts'
import { changeRules, passwordErrors } from '#contract/password-rules.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { saveTokens } from '../../shared/api/tokens.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { PasswordChecklist } from '../../shared/password/password-checklist.tsx'
import { useSessionActions } from '../../shared/session/session.ts'
import { toastError, toastSuccess } from '../../shared/toast.tsx'
import { Form } from '../../shared/ui/form.tsx'

const initialValues = { current_password: '', new_password: '', confirmation: '' }

/** Sets a new password by the rules of accounts specification, section 5; sent only once it meets them and is confirmed. */
export function ChangePasswordForm() {
  const { setUser } = useSessionActions()
  const { form, submit, isBusy } = useMutationForm({
    initialValues,
    send: ({ current_password, new_password }) =>
      call(profile.changePassword, { body: { current_password, new_password } }),
    onSuccess: ({ user, ...tokens }) => {
      saveTokens(tokens)
      form.reset()
      toastSuccess(t('Password changed successfully'))
      setUser(user)
    },
    onError: (error) => toastError(messageOf(error, t('Failed to change password'))),
  })
  const { current_password: current, new_password: next, confirmation } = form.values
  const errors = next ? passwordErrors('change', next) : []
  const isMismatch = confirmation !== '' && confirmation !== next
  const isComplete = Boolean(current && next) && next === confirmation
  const field = (name: keyof typeof initialValues, label: string) => ({
    label,
    visibilityToggleButtonProps: { 'aria-label': t('Show or hide: {label}', { label }), tabIndex: 0 },
    ...form.getInputProps(name),
  })

  return (
    <Form onSubmit={submit}>
      <PasswordInput autoComplete="current-password" {...field('current_password', t('Current password'))} />
      <PasswordInput
        autoComplete="new-password"
        {...field('new_password', t('New password'))}
        {...(errors.length > 0 && { error: true })}
      />
      {errors.length > 0 && (
        <List size="sm" c="var(--mantine-color-error)" role="alert">
          {errors.map((error) => (
            <List.Item key={error}>{error}</List.Item>
          ))}
        </List>
      )}
      <PasswordInput
        autoComplete="new-password"
        {...field('confirmation', t('Confirm new password'))}
        error={isMismatch && t('Passwords do not match')}
      />
      {errors.length === 0 && <PasswordChecklist password={next} rules={changeRules} />}
      <Button type="submit" ms="auto" loading={isBusy} disabled={!isComplete || errors.length > 0}>
        {t('Change Password')}
      </Button>
    </Form>
  )
}
