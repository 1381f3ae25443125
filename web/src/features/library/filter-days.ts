/** Returns the time at which a `yyyy-mm-dd` day begins in the reader's time zone. */
export function startOfDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString()
}

/** Returns the time at which a day ends, exclusive. */
export function endOfDay(day: string): string {
  const date = new Date(`${day}T00:00:00`)
  date.setDate(date.getDate() + 1)
  return date.toISOString()
}

/** Returns the time at which the day `days` days ago began. */
export function startOfDaysAgo(days: number): string {
  const date = new Date()
  date.setHours(0, 0, 0, 0)
  date.setDate(date.getDate() - days)
  return date.toISOString()
}

/** Returns the time that a date field stands for; undefined while it holds no complete date. */
export function fromDay(day: string, toMoment: (day: string) => string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)) ? toMoment(day) : undefined
}

/** Returns the day of a time in the format of a date field. */
export function toDay(moment: string): string {
  const date = new Date(moment)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-')
}

/** Returns the last day before a time. */
export function toLastDay(moment: string): string {
  return toDay(new Date(new Date(moment).getTime() - 1).toISOString())
}
