import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { HeardChannels } from '#contract/heard.ts'
import { modelOf } from '../model.ts'

/** What one person heard of one recording. */
export interface HeardDocument {
  _id: Types.ObjectId
  recordingId: Types.ObjectId
  /** Whose recording it is. */
  ownerId: Types.ObjectId
  /** Who heard it. */
  userId: Types.ObjectId
  revision: number
  channels: HeardChannels
  /** The share of the lines that were heard, 0 to 1. */
  share: number
  /** The text that the share was counted with: see reviewedText. */
  countedText: string
}

const schema = new Schema<HeardDocument>(
  {
    recordingId: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    revision: { type: Number, required: true },
    channels: { type: Schema.Types.Mixed, required: true },
    share: { type: Number, required: true },
    countedText: { type: String, default: '' },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ userId: 1, recordingId: 1 }, { unique: true })
schema.index({ ownerId: 1, recordingId: 1 })

/** What people heard, of one database connection. */
export function heardModel(connection: Connection): Model<HeardDocument> {
  return modelOf<HeardDocument>(connection, 'Heard', schema, 'heard')
}
