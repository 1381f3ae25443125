import type { LibraryFilter } from '#contract/library.ts'
import { t } from '#contract/texts/t.ts'

const ranges = [
  { value: 'seconds', label: t('Up to a minute'), min: undefined, max: 60 },
  { value: 'short', label: t('1 to 10 minutes'), min: 60, max: 600 },
  { value: 'medium', label: t('10 to 30 minutes'), min: 600, max: 1800 },
  { value: 'long', label: t('30 minutes to an hour'), min: 1800, max: 3600 },
  { value: 'hours', label: t('An hour or longer'), min: 3600, max: undefined },
] as const

type DurationValue = (typeof ranges)[number]['value']

/** Durations to filter by. */
export const durationOptions = ranges.map(({ value, label }) => ({ value, label }))

/** Returns which duration a filter asks for; none for one that only an address can express. */
export function durationValue({ min_duration: min, max_duration: max }: LibraryFilter): DurationValue[] {
  const range =
    min === undefined && max === undefined ? undefined : ranges.find((each) => each.min === min && each.max === max)
  return range ? [range.value] : []
}

/** Returns a filter with another duration. */
export function withDuration(filter: LibraryFilter, value: DurationValue | undefined): LibraryFilter {
  const range = ranges.find((each) => each.value === value)
  return { ...filter, min_duration: range?.min, max_duration: range?.max }
}
