import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { findDueRecordings, type DueRecording } from './due-recordings.ts'
import { countDueTexts } from './due-texts.ts'
import { daysAfter, type RetentionRules } from './rules.ts'

/** What the schedule would delete by a given time. */
export interface RetentionPlan {
  until: Date
  /** Ordered by when they are due, earliest first. */
  recordings: DueRecording[]
  /** Number of recordings that would also be deleted if they were not on hold. */
  held: number
  texts: number
}

/** Returns what would be deleted by now or within this many days, by the database's clock. Deletes nothing. */
export async function planRetention(
  connection: DatabaseConnection,
  rules: RetentionRules,
  withinDays: number,
): Promise<RetentionPlan> {
  const until = daysAfter(await readDatabaseTime(connection), withinDays)
  const [recordings, held, texts] = await Promise.all([
    findDueRecordings(connection, rules, { at: until }),
    findDueRecordings(connection, rules, { at: until, isHeld: true }),
    countDueTexts(connection, rules, until),
  ])
  return { until, recordings, held: held.length, texts }
}
