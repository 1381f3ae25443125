import { Schema, type Connection, type Model } from 'mongoose'
import { modelOf } from '../model.ts'

/** Counters of engines at one moment, over all models and languages. */
export interface WorkTotals {
  transcribedSeconds: number
  transcriptionWorkSeconds: number
  translatedLines: number
  translationWorkSeconds: number
}

/** The queue of one hour, and how far the counters came in it. */
export interface WorkHourDocument {
  /** The hour in UTC, `2026-01-05T13`. */
  _id: string
  at: Date
  /** The most that samples of the hour found. */
  waiting: number
  oldestWaitingMs: number
  /** At the first and at the last sample of the hour. */
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

/** The hours of one database connection. */
export function workHourModel(connection: Connection): Model<WorkHourDocument> {
  return modelOf<WorkHourDocument>(connection, 'WorkHour', schema, 'work_hours')
}
