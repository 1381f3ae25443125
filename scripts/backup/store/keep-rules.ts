export interface KeepRules {
  daily: number
  weekly: number
  monthly: number
}

interface Dated {
  /** ISO 8601. */
  createdAt: string
}

/**
 * Returns the backups to keep: the newest of each of the last `daily` days, `weekly` weeks (from Monday) and `monthly` months that have a
 * backup, in UTC, and the newest of all.
 */
export function chooseKept<Backup extends Dated>(backups: Backup[], rules: KeepRules): Set<Backup> {
  const newestFirst = backups.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  const kept = new Set(newestFirst.slice(0, 1))
  for (const [periodOf, count] of [
    [dayOf, rules.daily],
    [weekOf, rules.weekly],
    [monthOf, rules.monthly],
  ] as const) {
    const periods = new Set<string>()
    for (const backup of newestFirst) {
      const period = periodOf(new Date(backup.createdAt))
      if (periods.has(period)) continue
      if (periods.size === count) break
      periods.add(period)
      kept.add(backup)
    }
  }
  return kept
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7)
}

/** Returns the Monday of the week. */
function weekOf(date: Date): string {
  const monday = new Date(date)
  monday.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  return dayOf(monday)
}
