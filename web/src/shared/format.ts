import { interfaceLanguages } from '#contract/texts/interface-languages.ts'
import { currentLanguage, t } from '#contract/texts/t.ts'
import { displayLocale } from './texts/locale.ts'

const locale = displayLocale()

/** Separators for the items of an enumeration without "and": Arabic script has other punctuation. */
export const comma = t(', ')
export const semicolon = t('; ')

/** Bytes, then units of 1024 times the previous one. */
const sizes = [
  (size: string) => t('{size} B', { size }),
  (size: string) => t('{size} KB', { size }),
  (size: string) => t('{size} MB', { size }),
  (size: string) => t('{size} GB', { size }),
  (size: string) => t('{size} TB', { size }),
] as const

/** `18.3 MB`: bytes in the largest unit that gives a figure of at least 1. */
export function formatSize(sizeBytes: number): string {
  let value = sizeBytes
  let unit = 0
  while (value >= 1024 && unit < sizes.length - 1) {
    value /= 1024
    unit += 1
  }
  const figure = formatDecimals(value, unit > 0 && value < 100 ? 1 : 0)
  return sizes[unit]?.(figure) ?? figure
}

/** `17.5 MB`: the workspace always shows megabytes (audio-workflow specification, section 2). */
export function formatMegabytes(sizeBytes: number): string {
  const megabytes = sizeBytes / (1024 * 1024)
  return t('{size} MB', { size: formatDecimals(megabytes, megabytes < 0.1 ? 3 : 1) })
}

/** `3.0`: always with this many decimals, without thousands separators. */
function formatDecimals(value: number, digits: number): string {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false }
  return new Intl.NumberFormat(locale, options).format(value)
}

/** `3:07` or `1:02:09`: seconds as a clock, in the digits of players and subtitle files in every language. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** `3:07 – 3:12`, or `3:07` if both are in the same second. Such a range runs left to right, even in right-to-left text. */
export function formatClockRange(start: number, end: number): string {
  const [from, to] = [formatClock(start), formatClock(end)]
  if (from === to) return from
  return leftToRight(`${from} – ${to}`)
}

/** Isolates a left-to-right text if the interface runs from right to left. */
export function leftToRight(text: string): string {
  return interfaceLanguages[currentLanguage()].direction === 'rtl' ? `\u2066${text}\u2069` : text
}

/** `2 h 5 min`, `12 min` or `40 s`: seconds in words, for totals and time left. */
export function formatSpan(seconds: number): string {
  if (seconds < 60) return t('{seconds, number} s', { seconds: Math.max(0, Math.round(seconds)) })
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return t('{minutes, number} min', { minutes })
  return t('{hours, number} h {minutes, number} min', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** `40 s`, `2 min 20 s`, `9 min` or `1 h 5 min`: an estimate; from a minute on, in steps of less than a tenth of its value. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 57.5) return t('{seconds, number} s', { seconds: Math.max(5, Math.round(seconds / 5) * 5) })
  if (seconds >= 5 * 60) return formatSpan(seconds)
  const tens = Math.round(seconds / 10) * 10
  const [minutes, rest] = [Math.floor(tens / 60), tens % 60]
  if (rest === 0) return t('{minutes, number} min', { minutes })
  return t('{minutes, number} min {seconds, number} s', { minutes, seconds: rest })
}

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const exactTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const deadline = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})
const timeOnly = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
const dateOnly = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })

/** `21 Nov 2026, 06:45` in the user's time zone. */
export function formatMoment(iso: string): string {
  return dateTime.format(new Date(iso))
}

/** `21 Nov 2026, 06:45:09` in the user's time zone, for moments that differ by seconds. */
export function formatExactMoment(iso: string): string {
  return exactTime.format(new Date(iso))
}

/** `Thursday 26 November at 14:30` in the user's time zone: when something is due. */
export function formatDeadline(iso: string): string {
  return deadline.format(new Date(iso))
}

/** `06:45` in the user's time zone, for use beside the day. */
export function formatTime(iso: string): string {
  return timeOnly.format(new Date(iso))
}

/** `21 Nov 2026` in the user's time zone. */
export function formatDate(iso: string): string {
  return dateOnly.format(new Date(iso))
}

const percent = new Intl.NumberFormat(locale, { style: 'percent' })
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })

const steps = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const
const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })

/** `5 minutes ago`; the date once it is more than a week away. */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000
  if (Math.abs(seconds) > 7 * 86_400) return formatDate(iso)
  const step = steps.find(({ seconds: size }) => Math.abs(seconds) >= size)
  return step ? relative.format(Math.round(seconds / step.seconds), step.unit) : t('just now')
}

/** `97%`. */
export function formatPercent(fraction: number): string {
  return percent.format(fraction)
}

/** `2,000`. `digits` is the maximum number of decimals; default 0. */
export function formatNumber(value: number, digits = 0): string {
  return digits === 0
    ? whole.format(value)
    : new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)
}

/** `Pashto, Urdu, and Persian`, or with `or`. */
export function formatList(items: Iterable<string>, type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  // English lists have a comma before "and", which the locale for English dates (en-GB) would omit.
  return new Intl.ListFormat(currentLanguage() === 'en' ? 'en' : locale, { type }).format(items)
}

/** First and last name, else the username (accounts specification, section 2). */
export function displayName(user: { first_name: string; last_name: string; username: string }): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.username
}
