import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** A verification link that was mailed. */
export interface VerificationDocument {
  /** SHA-256 of the token. */
  _id: string
  userId: Types.ObjectId
  /** The address it proves. */
  email: string
  expiresAt: Date
}

const verificationSchema = new Schema<VerificationDocument>(
  {
    _id: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    email: { type: String, default: '' },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
verificationSchema.index({ userId: 1 })
verificationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

export function verificationModel(connection: Connection) {
  return modelOf<VerificationDocument>(connection, 'Verification', verificationSchema, 'verifications')
}
