import { afterEach, expect, it, vi } from 'vitest'
import { endOfDay, fromDay, startOfDay, startOfDaysAgo, toDay, toLastDay } from './filter-days.ts'

afterEach(() => {
  vi.useRealTimers()
})

it('shows a moment as the day of the reader that it is in, as a date field takes it', () => {
  expect(toDay(new Date(2026, 2, 5, 23, 59).toISOString())).toBe('2026-03-05')
  expect(toDay(new Date(2026, 11, 31).toISOString())).toBe('2026-12-31')
  expect(toDay(new Date(2026, 0, 1).toISOString())).toBe('2026-01-01')
  expect(toDay(new Date('0987-10-11T12:00:00').toISOString())).toBe('0987-10-11')
})

it('begins a day at midnight of the reader, and ends it where the next one begins', () => {
  expect(startOfDay('2026-03-05')).toBe(new Date(2026, 2, 5).toISOString())
  expect(endOfDay('2026-03-05')).toBe(new Date(2026, 2, 6).toISOString())
  expect(endOfDay('2026-12-31')).toBe(new Date(2027, 0, 1).toISOString())
})

it('shows the end of a range as its last day', () => {
  expect(toLastDay(endOfDay('2026-02-28'))).toBe('2026-02-28')
})

it('begins the last days at midnight, today among them', () => {
  vi.useFakeTimers({ now: new Date(2026, 2, 5, 17, 30) })
  expect(startOfDaysAgo(0)).toBe(new Date(2026, 2, 5).toISOString())
  expect(startOfDaysAgo(6)).toBe(new Date(2026, 1, 27).toISOString())
})

it('takes no moment from a date that is incomplete or does not exist', () => {
  expect(fromDay('2026-03-05', startOfDay)).toBe(startOfDay('2026-03-05'))
  expect(fromDay('', startOfDay)).toBeUndefined()
  expect(fromDay('2026-3', startOfDay)).toBeUndefined()
  expect(fromDay('2026-03-05T10:00', startOfDay)).toBeUndefined()
  expect(fromDay('2026-13-05', startOfDay)).toBeUndefined()
})
