import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { TextChange } from '#contract/progress-text.ts'
import { modelOf } from '../model.ts'

/** One change to the text of a running job. All changes of one attempt, in order, make up its text so far. */
export interface ProgressDocument {
  _id: Types.ObjectId
  jobId: Types.ObjectId
  /** Each attempt writes its own text. */
  textId: Types.ObjectId
  /** From 1, without gaps. */
  sequence: number
  change: TextChange
  createdAt: Date
}

const schema = new Schema<ProgressDocument>(
  {
    jobId: { type: Schema.Types.ObjectId, required: true },
    textId: { type: Schema.Types.ObjectId, required: true },
    sequence: { type: Number, required: true },
    change: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)
schema.index({ jobId: 1, textId: 1, sequence: 1 }, { unique: true })
// An engine that lost its lease may still write a change for an ended job: nothing else would ever remove it.
schema.index({ createdAt: 1 }, { expireAfterSeconds: 7 * 24 * 3600 })

/** The changes of running jobs' texts of one database connection. */
export function progressModel(connection: Connection): Model<ProgressDocument> {
  return modelOf<ProgressDocument>(connection, 'Progress', schema, 'progress')
}
