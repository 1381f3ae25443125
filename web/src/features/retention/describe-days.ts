import { t } from '#contract/texts/t.ts'

/** `90 days`, `for ever`. */
export function describeDays(days: number): string {
  if (days === 0) return t('for ever')
  return t('{days, plural, one {# day} other {# days}}', { days })
}
