import { AppError } from '#contract/app-error.ts'
import type { UserDoc } from '#data/users/user-model.ts'

/** Whether the time of a password is over that somebody else chose. */
export function isExpired({ passwordExpiresAt }: Pick<UserDoc, 'passwordExpiresAt'>, now: number): boolean {
  return passwordExpiresAt instanceof Date && passwordExpiresAt.getTime() <= now
}

/**
 * Whether a right password lets its owner in: one that somebody else chose does not after its time, unless the owner has come in with
 * it before and was not yet asked for another (ASVS 5, 6.4.1).
 */
export function letsIn(user: UserDoc, now: number): boolean {
  return !isExpired(user, now) || (user.lastLoginAt !== null && !user.mustChangePassword)
}

export function passwordExpired(): AppError {
  return new AppError(
    'password_expired',
    'Your temporary password has expired. Please ask your administrator for a new one.',
  )
}
