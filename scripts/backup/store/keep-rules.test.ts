import { expect, test } from 'vitest'
import { chooseKept } from './keep-rules.ts'

const rules = { daily: 7, weekly: 4, monthly: 12 }

/** One backup a day at 02:00 UTC up to 2026-11-26, a Thursday. */
function daily(days: number) {
  return Array.from({ length: days }, (_, n) => ({ createdAt: new Date(Date.UTC(2026, 10, 26 - n, 2)).toISOString() }))
}

const kept = (backups: { createdAt: string }[], { daily: days, weekly, monthly } = rules) =>
  [...chooseKept(backups, { daily: days, weekly, monthly })].map(({ createdAt }) => createdAt.slice(0, 10)).toSorted()

test('of two years of days the last 7 days, 4 weeks and 12 months are kept, each by its newest', () => {
  const months = ['2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']
  months.push('2026-06-30', '2026-07-31', '2026-08-31', '2026-09-30', '2026-10-31')
  const weeks = ['2026-11-08', '2026-11-15']
  const days = ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26']
  expect(kept(daily(730))).toEqual([...months, ...weeks, ...days])
})

test('after weeks without a backup the old ones stay: periods without one do not count', () => {
  const old = daily(60).slice(30)
  expect(kept(old, { daily: 3, weekly: 0, monthly: 0 })).toEqual(['2026-10-25', '2026-10-26', '2026-10-27'])
})

test('of several on one day the newest is kept, and the newest of all with every rule at 0', () => {
  const times = ['2026-11-26T01:00:00.000Z', '2026-11-26T03:00:00.000Z', '2026-11-25T22:00:00.000Z']
  const backups = times.map((createdAt) => ({ createdAt }))
  expect([...chooseKept(backups, { daily: 1, weekly: 0, monthly: 0 })]).toEqual([backups[1]])
  expect([...chooseKept(backups, { daily: 0, weekly: 0, monthly: 0 })]).toEqual([backups[1]])
  expect(chooseKept([], rules).size).toBe(0)
})
