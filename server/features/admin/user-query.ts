import type { z } from 'zod'
import type { UserFilters } from '#contract/user-list.ts'
import type { Clock } from '#data/clock.ts'
import type { UserQuery } from '#data/users/user-lists.ts'

export type UserFilterValues = { [Name in keyof typeof UserFilters]: z.output<(typeof UserFilters)[Name]> }

const dayMs = 24 * 60 * 60_000

/** Converts the filters of a list of users to a query. */
export function toUserQuery(filters: UserFilterValues, clock: Clock): UserQuery {
  const { search, state, role, inactive_days: days } = filters
  return {
    search,
    state,
    role: role === 'all' || role === '' ? undefined : role,
    unusedSince: days > 0 ? daysAgo(days, clock) : undefined,
  }
}

/** Returns the time `days` days ago. */
export function daysAgo(days: number, clock: Clock): Date {
  return new Date(clock.now() - days * dayMs)
}
