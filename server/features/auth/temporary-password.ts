import { AppError } from '#contract/app-error.ts'
import type { UserRecord } from '#data/users/user-record.ts'

/** Returns whether a password that somebody else chose has expired. */
export function isPasswordExpired({ passwordExpiresAt }: Pick<UserRecord, 'passwordExpiresAt'>, now: number): boolean {
  return passwordExpiresAt instanceof Date && passwordExpiresAt.getTime() <= now
}

/**
 * Returns whether the right password permits signing in. An expired temporary password does not, unless its owner has signed in with it
 * before and has not yet been asked for another one (ASVS 5, 6.4.1).
 */
export function canSignInWithPassword(user: UserRecord, now: number): boolean {
  return !isPasswordExpired(user, now) || (user.lastLoginAt !== null && !user.mustChangePassword)
}

export function passwordExpiredError(): AppError {
  return new AppError(
    'password_expired',
    'Your temporary password has expired. Please ask your administrator for a new one.',
  )
}
