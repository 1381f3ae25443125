import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** A finished part of a job, such as one window of one channel, kept so that a killed job resumes where it stopped. */
export interface CheckpointDocument {
  _id: Types.ObjectId
  jobId: Types.ObjectId
  key: string
  /** Packed JSON. */
  data: Uint8Array
  createdAt: Date
}

const schema = new Schema<CheckpointDocument>(
  {
    jobId: { type: Schema.Types.ObjectId, required: true },
    key: { type: String, required: true },
    data: { type: Schema.Types.Buffer, required: true },
    createdAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ jobId: 1, key: 1 }, { unique: true })
// An engine that lost its lease may still write a checkpoint for an ended job: nothing else would ever remove it.
schema.index({ createdAt: 1 }, { expireAfterSeconds: 7 * 24 * 3600 })

/** The checkpoints of one database connection. */
export function checkpointModel(connection: Connection): Model<CheckpointDocument> {
  return modelOf<CheckpointDocument>(connection, 'Checkpoint', schema, 'checkpoints')
}
