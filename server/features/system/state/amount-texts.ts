import { t } from '#contract/texts/t.ts'

/** Amounts for use within sentences. Each is a separate text, so that translateSentence finds it with the plural forms of its language. */
export const amountTexts = {
  seconds: (count: number) => (count === 1 ? t('1 second') : t('{1, number} seconds', { 1: count })),
  minutes: (count: number) => (count === 1 ? t('1 minute') : t('{1, number} minutes', { 1: count })),
  hours: (count: number) => (count === 1 ? t('1 hour') : t('{1, number} hours', { 1: count })),
  days: (count: number) => (count === 1 ? t('1 day') : t('{1, number} days', { 1: count })),
  engines: (count: number) => (count === 1 ? t('1 engine') : t('{1, number} engines', { 1: count })),
  jobs: (count: number) => (count === 1 ? t('1 job') : t('{1, number} jobs', { 1: count })),
  servers: (count: number) => (count === 1 ? t('1 server') : t('{1, number} servers', { 1: count })),
  issues: (count: number) => (count === 1 ? t('1 issue') : t('{1, number} issues', { 1: count })),
  recordings: (count: number) => (count === 1 ? t('1 recording') : t('{1, number} recordings', { 1: count })),
  texts: (count: number) => (count === 1 ? t('1 text') : t('{1, number} texts', { 1: count })),
  documents: (count: number) => (count === 1 ? t('1 document') : t('{1, number} documents', { 1: count })),
  files: (count: number) => (count === 1 ? t('1 file') : t('{1, number} files', { 1: count })),
  paths: (count: number) => (count === 1 ? t('1 path') : t('{1, number} paths', { 1: count })),
  indexes: (count: number) => (count === 1 ? t('1 index') : t('{1, number} indexes', { 1: count })),
  uploads: (count: number) => (count === 1 ? t('1 upload') : t('{1, number} uploads', { 1: count })),
  mails: (count: number) => (count === 1 ? t('1 mail') : t('{1, number} mails', { 1: count })),
  accounts: (count: number) => (count === 1 ? t('1 account') : t('{1, number} accounts', { 1: count })),
  webhooks: (count: number) => (count === 1 ? t('1 webhook') : t('{1, number} webhooks', { 1: count })),
  providers: (count: number) => (count === 1 ? t('1 provider') : t('{1, number} providers', { 1: count })),
  gigabytes: (count: number) => t('{1, number, ::.0} GB', { 1: count }),
  megabytes: (count: number) => t('{1, number, ::.0} MB', { 1: count }),
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Describes a duration in the unit a person would choose: minutes below two hours, hours below two days. */
export function describeDuration(durationMs: number): string {
  if (durationMs < 2 * hourMs) return amountTexts.minutes(Math.floor(durationMs / minuteMs))
  if (durationMs < 2 * dayMs) return amountTexts.hours(Math.floor(durationMs / hourMs))
  return amountTexts.days(Math.floor(durationMs / dayMs))
}

/** Describes a size in decimal units: `12.3 MB`. */
export function describeSize(bytes: number): string {
  return bytes >= 1e9 ? amountTexts.gigabytes(bytes / 1e9) : amountTexts.megabytes(bytes / 1e6)
}

/** Returns the first ids, names or paths of a possibly long list: `a, b and others`. */
export function listSome(items: readonly string[]): string {
  const shown = items.slice(0, 5).join(', ')
  return items.length > 5 ? t('{1} and others', { 1: shown }) : shown
}
