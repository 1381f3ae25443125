import type { AlertDigestDocument } from './alert-digest-model.ts'

const quarterMs = 15 * 60_000
/** Two days: an hour skipped when the clocks change occurs again the next day. */
const maxQuarters = 2 * 24 * 4

/**
 * Returns when the next alert mail is sent: at once, at the next full hour, or the next time that clocks in the time zone show the
 * hour. Offsets of time zones are multiples of a quarter of an hour.
 */
export function nextDigestTime({ mode, hour, timeZone }: Omit<AlertDigestDocument, '_id'>, now: Date): Date {
  if (mode !== 'hourly' && mode !== 'daily') return now
  const clock = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', minute: 'numeric', hourCycle: 'h23' })
  let time = Math.floor(now.getTime() / quarterMs) * quarterMs
  for (let count = 0; count < maxQuarters; count += 1) {
    time += quarterMs
    const parts = new Map(clock.formatToParts(time).map(({ type, value }) => [type, Number(value)]))
    if (parts.get('minute') === 0 && (mode === 'hourly' || parts.get('hour') === hour)) break
  }
  return new Date(time)
}
