import type { SignInSettings } from '#contract/sign-in-settings.ts'
import type { UserRecord } from '#data/users/user-record.ts'

const dayMs = 24 * 60 * 60_000

/**
 * Returns the time from which an account needs a second factor, in milliseconds since 1970; undefined if the settings do not require one of
 * it. The grace days count from the account's creation, so that no sign-in ends or extends them (docs/decisions/two-factor-required.md).
 */
export function twoFactorDueAt(
  { role, createdAt, twoFactorGrace }: Pick<UserRecord, 'role' | 'createdAt' | 'twoFactorGrace'>,
  settings: Pick<SignInSettings, 'two_factor_policy' | 'two_factor_grace_days'>,
): number | undefined {
  const { two_factor_policy: policy, two_factor_grace_days: days } = settings
  const isCovered = policy === 'everybody' || (policy === 'administrators' && role !== 'user')
  if (!isCovered) return undefined
  return createdAt.getTime() + (twoFactorGrace ? days * dayMs : 0)
}
