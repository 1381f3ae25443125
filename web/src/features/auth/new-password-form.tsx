import { Button, PasswordInput } from '@mantine/core'
import { resetRules } from '#contract/password-rules.ts'
import { t } from '#contract/texts/t.ts'
import { useMutationForm } from '../../shared/form/use-mutation-form.ts'
import { PasswordChecklist } from '../../shared/password/password-checklist.tsx'
import { toastSuccess } from '../../shared/toast.tsx'
import classes from './auth.module.css'
import { toastNewPasswordErrors, toastStepError, validateNewPassword } from './password-reset.ts'

interface NewPasswordFormProps {
  /** Sends the new password with the code or token that allows it. */
  send: (password: string) => Promise<unknown>
  onDone: () => void | Promise<void>
}

/** A new password typed twice, with its rules. */
export function NewPasswordForm({ send, onDone }: NewPasswordFormProps) {
  const { form, submit, isBusy } = useMutationForm({
    initialValues: { password: '', confirmation: '' },
    validate: validateNewPassword,
    onInvalid: (_, values) => toastNewPasswordErrors(values),
    send: ({ password }) => send(password),
    sortErrors: () => ({ fields: {} }),
    onError: (error) => toastStepError(error, t('Failed to reset password')),
    onSuccess: async () => {
      toastSuccess(t('Password reset successfully! You can now log in with your new password.'))
      await onDone()
    },
  })
  return (
    <form onSubmit={submit} noValidate className={classes.fields}>
      <PasswordInput
        label={t('New password')}
        autoComplete="new-password"
        autoFocus
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide password'), tabIndex: 0 }}
        {...form.getInputProps('password', { withError: false })}
      />
      <PasswordInput
        label={t('Confirm new password')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the confirmation'), tabIndex: 0 }}
        {...form.getInputProps('confirmation', { withError: false })}
      />
      <PasswordChecklist password={form.values.password} rules={resetRules} />
      <Button type="submit" size="md" fullWidth loading={isBusy}>
        {t('Reset Password')}
      </Button>
    </form>
  )
}
