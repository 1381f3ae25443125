import { Schema, type Connection, type Model } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { listCounters } from '../counters/counters.ts'
import { readQueueState } from '../health/queue-health.ts'
import { isDuplicateKey, modelOf } from '../model.ts'
import { listDays, toDay } from '../utc-days.ts'

/** What engines did in one day, and how long the queue was. */
export interface WorkDay {
  /** YYYY-MM-DD, in UTC. */
  day: string
  /** The maximum found by samples of the day; null where none were taken. */
  waiting: number | null
  oldestWaitingMs: number | null
  work: WorkTotals
}

const counterOf: Record<keyof WorkTotals, string> = {
  transcribedSeconds: 'transcribed_seconds',
  transcriptionWorkSeconds: 'transcription_work_seconds',
  translatedLines: 'translated_lines',
  translationWorkSeconds: 'translation_work_seconds',
}
const names = Object.keys(counterOf) as (keyof WorkTotals)[] // its own keys

/** Counters of engines at one point in time, over all models and languages. */
interface WorkTotals {
  transcribedSeconds: number
  transcriptionWorkSeconds: number
  translatedLines: number
  translationWorkSeconds: number
}

/** The queue in one hour, and how far the counters advanced in it. */
interface WorkHourDocument {
  /** The hour in UTC, `2026-01-05T13`. */
  _id: string
  at: Date
  /** The maximum found by samples of the hour. */
  waiting: number
  oldestWaitingMs: number
  /** The counters at the first and last sample of the hour. */
  first: WorkTotals
  last: WorkTotals
}

const totals = {
  transcribedSeconds: { type: Number, required: true },
  transcriptionWorkSeconds: { type: Number, required: true },
  translatedLines: { type: Number, required: true },
  translationWorkSeconds: { type: Number, required: true },
}

const keptSeconds = 32 * 24 * 3600

const schema = new Schema<WorkHourDocument>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    waiting: { type: Number, required: true },
    oldestWaitingMs: { type: Number, required: true },
    first: new Schema<WorkTotals>(totals, { _id: false }),
    last: new Schema<WorkTotals>(totals, { _id: false }),
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ at: 1 }, { expireAfterSeconds: keptSeconds })

/**
 * Adds a sample of queue and counters to the hour of `now`. Samples of several servers, even simultaneous ones, end up in one document.
 * Jobs cannot be queried later instead, because they are deleted with their recordings.
 */
export async function sampleWork(connection: DatabaseConnection, now: Date): Promise<void> {
  const [{ waiting, oldestWaitingMs }, counters] = await Promise.all([
    readQueueState(connection),
    listCounters(connection),
  ])
  const totals = totalsOf((name) =>
    counters.filter((counter) => counter.name === name).reduce((sum, { value }) => sum + value, 0),
  )
  const hour = now.toISOString().slice(0, 13)
  const update = {
    $max: { waiting, oldestWaitingMs },
    $set: { last: totals },
    $setOnInsert: { at: new Date(`${hour}:00:00Z`), first: totals },
  }
  const write = () => workHourModel(connection).updateOne({ _id: hour }, update, { upsert: true })
  await write().catch((error: unknown) => {
    // Another server has just inserted the hour: it exists now.
    if (!isDuplicateKey(error)) throw error
    return write()
  })
}

/** Returns the last `shownDays` days, oldest first; the last one is that of `now`. */
export async function listWorkDays(
  connection: DatabaseConnection,
  { now, shownDays }: { now: Date; shownDays: number },
): Promise<WorkDay[]> {
  const days = new Map(listDays({ now, shownDays }).map((day) => [day, emptyDay(day)]))
  const since = new Date(`${[...days.keys()][0]}T00:00:00Z`)
  const hours = await workHourModel(connection)
    .find({ at: { $gte: since } })
    .sort({ at: 1 })
    .lean()
  let before: WorkHourDocument | undefined
  for (const hour of hours) {
    const day = days.get(toDay(hour.at))
    if (day) addHour(day, hour, before)
    before = hour
  }
  return [...days.values()]
}

function emptyDay(day: string): WorkDay {
  return { day, waiting: null, oldestWaitingMs: null, work: totalsOf(() => 0) }
}

/** Adds the work of an hour. Work between the samples of two hours counts for the later one. */
function addHour(day: WorkDay, hour: WorkHourDocument, before: WorkHourDocument | undefined): void {
  day.waiting = Math.max(day.waiting ?? 0, hour.waiting)
  day.oldestWaitingMs = Math.max(day.oldestWaitingMs ?? 0, hour.oldestWaitingMs)
  const start = before?.last ?? hour.first
  // A restored backup has lower counters.
  for (const name of names) day.work[name] += Math.max(0, hour.last[name] - start[name])
}

function totalsOf(valueOf: (counter: string) => number): WorkTotals {
  return {
    transcribedSeconds: valueOf(counterOf.transcribedSeconds),
    transcriptionWorkSeconds: valueOf(counterOf.transcriptionWorkSeconds),
    translatedLines: valueOf(counterOf.translatedLines),
    translationWorkSeconds: valueOf(counterOf.translationWorkSeconds),
  }
}

/** The hours of one database connection. */
export function workHourModel(connection: Connection): Model<WorkHourDocument> {
  return modelOf<WorkHourDocument>(connection, 'WorkHour', schema, 'work_hours')
}
