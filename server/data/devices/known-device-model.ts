import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** A browser that has signed in to an account before: failures elsewhere do not lock it out. */
export interface KnownDeviceDocument {
  /** SHA-256 of the device cookie. */
  _id: string
  userId: Types.ObjectId
  lastUsedAt: Date
  expiresAt: Date
}

const schema = new Schema<KnownDeviceDocument>(
  {
    _id: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    lastUsedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
schema.index({ userId: 1, lastUsedAt: -1 })
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

export function knownDeviceModel(connection: Connection) {
  return modelOf<KnownDeviceDocument>(connection, 'KnownDevice', schema, 'known_devices')
}
