import { t } from '#contract/texts/t.ts'

/** Amounts within sentences for people. Each is a separate text, so that translateSentence finds it with the plural of its language. */
export const amountTexts = {
  minutes: (count: number) => (count === 1 ? t('1 minute') : t('{1, number} minutes', { 1: count })),
  hours: (count: number) => (count === 1 ? t('1 hour') : t('{1, number} hours', { 1: count })),
  days: (count: number) => (count === 1 ? t('1 day') : t('{1, number} days', { 1: count })),
  engines: (count: number) => (count === 1 ? t('1 engine') : t('{1, number} engines', { 1: count })),
  jobs: (count: number) => (count === 1 ? t('1 job') : t('{1, number} jobs', { 1: count })),
  servers: (count: number) => (count === 1 ? t('1 server') : t('{1, number} servers', { 1: count })),
  issues: (count: number) => (count === 1 ? t('1 issue') : t('{1, number} issues', { 1: count })),
}
