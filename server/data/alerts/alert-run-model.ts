import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** Which jobs of a recording the watch lists of its owner were applied to. */
export interface AlertRunDocument {
  /** The recording's id. */
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  jobIds: Types.ObjectId[]
  /** Whether the recording had more hits than the maximum number of alerts. */
  isCapped: boolean
}

const schema = new Schema<AlertRunDocument>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    jobIds: { type: [Schema.Types.ObjectId], default: [] },
    isCapped: { type: Boolean, default: false },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1 })

/** The watch list runs of one database connection. */
export function alertRunModel(connection: Connection): Model<AlertRunDocument> {
  return modelOf<AlertRunDocument>(connection, 'AlertRun', schema, 'alert_runs')
}
