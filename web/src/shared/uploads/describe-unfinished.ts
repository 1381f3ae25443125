import { t } from '#contract/texts/t.ts'

/** Returns how many uploads were not finished, as a sentence without its full stop. */
export function describeUnfinished(count: number): string {
  return count === 1 ? t('1 upload was not finished') : t('{count} uploads were not finished', { count })
}
