import { passwordErrors } from '#contract/password-rules.ts'
import { t } from '#contract/texts/t.ts'
import { ApiError } from '../../shared/api/api-error.ts'
import type { FieldErrors } from '../../shared/form/form-errors.ts'
import { toastError } from '../../shared/toast.tsx'

interface NewPassword {
  password: string
  confirmation: string
}

/** Shows in a toast that a step failed, with that step's message unless the network failed (accounts specification, section 8). */
export function toastStepError(error: unknown, message: string): void {
  const isNetworkError = error instanceof ApiError && error.status === 0
  toastError(isNetworkError ? t('Network error. Please try again.') : message)
}

/** Returns what is wrong with a new password, under the rules of the accounts specification, section 5. */
export function validateNewPassword({ password, confirmation }: NewPassword): FieldErrors {
  const errors = passwordErrors('reset', password)
  return {
    ...(errors.length > 0 && { password: errors.join(' ') }),
    ...(password !== confirmation && { confirmation: t('Passwords do not match') }),
  }
}

/** Shows each error of a new password in its own toast (accounts specification, section 5). */
export function toastNewPasswordErrors({ password, confirmation }: NewPassword): void {
  for (const error of passwordErrors('reset', password)) toastError(error)
  if (password !== confirmation) toastError(t('Passwords do not match'))
}
