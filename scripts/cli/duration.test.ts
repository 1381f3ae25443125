import { expect, test } from 'vitest'
import { formatDuration, formatTime, parseDuration } from './duration.ts'

test('a duration is a number with its unit', () => {
  expect(['90s', '30m', '2h', '1d'].map(parseDuration)).toEqual([90_000, 1_800_000, 7_200_000, 86_400_000])
  expect(['', '30', 'm', '-1m', '1.5h', '1w', '30 m', '99999s'].map(parseDuration)).toEqual(Array(8).fill(undefined))
})

test('a duration is shown with its two largest units', () => {
  const shown = [0, 999, 1000, 59_900, 60_000, 3_900_000, 90_000_000, 26 * 86_400_000].map(formatDuration)
  expect(shown).toEqual(['0 ms', '999 ms', '1 s', '59.9 s', '1 min', '1 h 5 min', '1 d 1 h', '26 d'])
})

test('a time is in UTC, to the second', () => {
  expect(formatTime(new Date('2026-11-26T02:04:05.678Z'))).toBe('2026-11-26 02:04:05 UTC')
})
