import { t } from '#contract/texts/t.ts'
import { ApiError, messageOf, messageWithHelp } from './api/api-error.ts'
import { toastError } from './toast.tsx'

/** Long enough to read who can lift a hold. */
const heldMs = 8000
const networkMessage = t('Network error. Please try again.')

/** Shows why a call failed; if something is on legal hold, also whom to ask. */
export function toastFailure(error: unknown): void {
  const isHeld = error instanceof ApiError && error.code === 'on_hold'
  if (isHeld) toastError(messageWithHelp(error, networkMessage), { durationMs: heldMs })
  else toastError(messageOf(error, networkMessage))
}
