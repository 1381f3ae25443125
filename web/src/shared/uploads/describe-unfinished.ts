import { t } from '#contract/texts/t.ts'

/** Returns how many uploads were not finished, as a sentence without the final period. */
export function describeUnfinished(count: number): string {
  return t('{count, plural, one {# upload was} other {# uploads were}} not finished', { count })
}
