import { expect, test } from 'vitest'
import { nextDigestTime } from './digest-time.ts'

const now = new Date('2026-03-28T10:20:00Z')

function next(mode: 'immediately' | 'hourly' | 'daily', { hour = 8, timeZone = 'UTC' } = {}) {
  return nextDigestTime({ mode, hour, timeZone, withContent: false, dueAt: null }, now).toISOString()
}

test('a mail is sent at once, at the next hour, or the next time that clocks show the hour', () => {
  expect(next('immediately')).toBe('2026-03-28T10:20:00.000Z')
  expect(next('hourly')).toBe('2026-03-28T11:00:00.000Z')
  expect(next('daily')).toBe('2026-03-29T08:00:00.000Z')
  expect(next('daily', { hour: 12 })).toBe('2026-03-28T12:00:00.000Z')
})

test('hours are those of the time zone, also where it differs by half an hour or changes its clocks', () => {
  expect(next('daily', { timeZone: 'Asia/Kabul' })).toBe('2026-03-29T03:30:00.000Z')
  expect(next('hourly', { timeZone: 'Asia/Kabul' })).toBe('2026-03-28T10:30:00.000Z')
  expect(next('daily', { timeZone: 'Europe/Berlin' })).toBe('2026-03-29T06:00:00.000Z')
  expect(next('daily', { hour: 2, timeZone: 'Europe/Berlin' })).toBe('2026-03-30T00:00:00.000Z')
})
