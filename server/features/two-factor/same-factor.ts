import type { UserRecord } from '#data/users/user-record.ts'

type TwoFactor = UserRecord['twoFactor']

/**
 * Returns whether two records are of one second factor, none included. A sealed secret is unique; printed lists have none, and each is
 * hashed with its own salt.
 */
export function isSameFactor(a: TwoFactor, b: TwoFactor): boolean {
  if (!a || !b) return !a && !b
  return a.secret === b.secret && (a.secret !== null || a.backupSalt === b.backupSalt)
}
