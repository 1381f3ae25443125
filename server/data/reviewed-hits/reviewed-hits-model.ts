import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** The hits of one recording that were marked as reviewed. */
export interface ReviewedHitsDocument {
  /** The recording's. */
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  /** Each once: see hitKey. */
  keys: string[]
}

const schema = new Schema<ReviewedHitsDocument>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    keys: { type: [String], required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1 })

/** The reviewed hits of one database connection. */
export function reviewedHitsModel(connection: Connection): Model<ReviewedHitsDocument> {
  return modelOf<ReviewedHitsDocument>(connection, 'ReviewedHits', schema, 'reviewed_hits')
}
