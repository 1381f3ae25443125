import type { UserRecord } from '#data/users/user-record.ts'

type TwoFactor = UserRecord['twoFactor']

/**
 * Returns whether two records belong to the same second factor; two missing ones count as the same. A sealed secret is unique; printed
 * lists have no secret, but each is hashed with its own salt.
 */
export function isSameFactor(a: TwoFactor, b: TwoFactor): boolean {
  if (!a || !b) return !a && !b
  return a.secret === b.secret && (a.secret !== null || a.backupSalt === b.backupSalt)
}
