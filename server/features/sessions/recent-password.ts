import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { AuthSession } from '#server/http/context.ts'

/** docs/decisions/password-confirmation.md */
const recentMs = 5 * 60_000

/**
 * Throws `password_confirmation_required` unless the password has been entered in this session within the last five minutes, at sign-in or
 * through POST /api/auth/confirm-password.
 */
export function assertRecentPassword({ authenticatedAt }: AuthSession, clock: Clock): void {
  if (isRecent(authenticatedAt, clock)) return
  throw new AppError('password_confirmation_required', 'Please confirm your password first.', {
    help: 'Send it to POST /api/auth/confirm-password, or sign in again if your account has no password here, and repeat the call within five minutes.',
  })
}

/**
 * Throws `password_confirmation_required` unless the password and, if the account has one, the second factor have been proven in this
 * session within the last five minutes: docs/decisions/step-up-for-administration.md.
 */
export function assertRecentConfirmation({ confirmedAt }: AuthSession, clock: Clock): void {
  if (isRecent(confirmedAt, clock)) return
  throw new AppError('password_confirmation_required', 'Please confirm your password first.', {
    help: 'Send it, and totp_token where two-factor is enabled, to POST /api/auth/confirm-password, or sign in again if your account has no password here or a passkey only, and repeat the call within five minutes.',
  })
}

function isRecent(momentMs: number, clock: Clock): boolean {
  return clock.now() - momentMs <= recentMs
}
