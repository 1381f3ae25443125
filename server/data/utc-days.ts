const dayMs = 24 * 3_600_000

/** Returns the day of a time in UTC, YYYY-MM-DD. */
export function toDay(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Returns the last `shownDays` days in UTC, oldest first; the last one is that of `now`. */
export function listDays({ now, shownDays }: { now: Date; shownDays: number }): string[] {
  return Array.from({ length: shownDays }, (_, before) => toDay(new Date(now.getTime() - before * dayMs))).toReversed()
}
