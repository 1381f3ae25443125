import { t } from '#contract/texts/t.ts'
import { displayLocale } from './texts/locale.ts'

const sizeUnits = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** `18.3 MB`: bytes in the largest unit that leaves a figure of at least 1. */
export function formatSize(sizeBytes: number): string {
  let value = sizeBytes
  let unit = 0
  while (value >= 1024 && unit < sizeUnits.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(value < 100 ? 1 : 0)} ${sizeUnits[unit]}`
}

/** `17.5 MB`: the workspace shows megabytes whatever the size (audio-workflow specification, section 2). */
export function formatMegabytes(sizeBytes: number): string {
  const megabytes = sizeBytes / (1024 * 1024)
  return `${megabytes < 0.1 ? megabytes.toFixed(3) : megabytes.toFixed(1)} MB`
}

/** `3:07` or `1:02:09`: seconds as a clock. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  const rest = String(whole % 60).padStart(2, '0')
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${minutes}:${rest}`
}

/** `3:07 – 3:12`, or `3:07` where both fall on the same second. */
export function formatClockRange(start: number, end: number): string {
  const [from, to] = [formatClock(start), formatClock(end)]
  return from === to ? from : `${from} – ${to}`
}

/** `2 h 5 min`, `12 min` or `40 s`: seconds in words, for totals and time left. */
export function formatSpan(seconds: number): string {
  if (seconds < 60) return `${Math.max(0, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** `40 s`, `2 min 20 s`, `9 min` or `1 h 5 min`: an estimate, in steps of less than a tenth of it from a minute on. */
export function formatTimeLeft(seconds: number): string {
  if (seconds < 57.5) return `${Math.max(5, Math.round(seconds / 5) * 5)} s`
  if (seconds >= 5 * 60) return formatSpan(seconds)
  const tens = Math.round(seconds / 10) * 10
  const rest = tens % 60
  return `${Math.floor(tens / 60)} min${rest === 0 ? '' : ` ${rest} s`}`
}

const locale = displayLocale()
const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const exactTime = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const deadline = new Intl.DateTimeFormat(locale, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: '2-digit',
  minute: '2-digit',
})
const dateOnly = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })

/** `21 Nov 2026, 06:45` in the reader's time zone. */
export function formatMoment(iso: string): string {
  return dateTime.format(new Date(iso))
}

/** `21 Nov 2026, 06:45:09` in the reader's time zone, for what differs by seconds. */
export function formatExactMoment(iso: string): string {
  return exactTime.format(new Date(iso))
}

/** `Thursday 26 November at 14:30` in the reader's time zone: until when something must be done. */
export function formatDeadline(iso: string): string {
  return deadline.format(new Date(iso))
}

/** `21 Nov 2026` in the reader's time zone. */
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

/** `2,000`. `digits` is how many decimals at most; 0 unless given. */
export function formatNumber(value: number, digits = 0): string {
  return digits === 0
    ? whole.format(value)
    : new Intl.NumberFormat(locale, { maximumFractionDigits: digits }).format(value)
}

/** `Pashto, Urdu and Persian`, or with `or`. */
export function formatList(items: Iterable<string>, type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return new Intl.ListFormat(locale, { type }).format(items)
}

/** First and last name, else the username (accounts specification, section 2). */
export function displayName(user: { first_name: string; last_name: string; username: string }): string {
  return `${user.first_name} ${user.last_name}`.trim() || user.username
}

/** `1 recording` or `2,000 recordings`. */
export function countOf(count: number, singular: string): string {
  return `${count.toLocaleString('en')} ${singular}${count === 1 ? '' : 's'}`
}
