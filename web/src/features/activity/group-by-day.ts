import type { RecordingActivity } from '#contract/recording-activity.ts'
import { formatDate } from '../../shared/format.ts'

/** What was done on one day of the reader's time zone and calendar. */
export interface ActivityDay {
  day: string
  entries: RecordingActivity[]
}

/** Groups entries by day in their order. One that is listed twice, as where new ones came while pages were loaded, is shown once. */
export function groupByDay(entries: RecordingActivity[]): ActivityDay[] {
  const known = new Map(entries.map((entry) => [entry.id, entry]))
  const days = Map.groupBy(known.values(), ({ at }) => formatDate(at))
  return [...days].map(([day, own]) => ({ day, entries: own }))
}
