import { localeOf } from '#contract/texts/interface-languages.ts'
import { currentLanguage } from '#contract/texts/t.ts'

const day: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }
const moment: Intl.DateTimeFormatOptions = { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

/** Formats a date (UTC) in the language and calendar of the mail. English mails use ISO 8601. */
export function formatDay(at: Date): string {
  return currentLanguage() === 'en' ? at.toISOString().slice(0, 10) : format(at, day)
}

/** Returns a date with the time in UTC. */
export function formatMoment(at: Date): string {
  const shown = currentLanguage() === 'en' ? at.toISOString().slice(0, 16).replace('T', ' ') : format(at, moment)
  return `${shown} UTC`
}

/** Omits the era, which Intl writes in Latin script for Pashto. */
function format(at: Date, options: Intl.DateTimeFormatOptions): string {
  const parts = new Intl.DateTimeFormat(localeOf(currentLanguage()), options).formatToParts(at)
  return parts
    .filter(({ type }) => type !== 'era')
    .map(({ value }) => value)
    .join('')
    .trim()
}
