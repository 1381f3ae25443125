import { Schema, type Connection } from 'mongoose'
import { modelOf } from '../model.ts'

/** The count of one rate limit in one window. */
export interface RateDocument {
  _id: string
  count: number
  expiresAt: Date
}

const schema = new Schema<RateDocument>(
  {
    _id: { type: String, required: true },
    count: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 60 })

export function rateModel(connection: Connection) {
  return modelOf<RateDocument>(connection, 'Rate', schema, 'rates')
}
