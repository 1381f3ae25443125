import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** The one valid password reset of a user; a newer one replaces it. */
export interface PasswordResetDocument {
  /** The user's id. */
  _id: Types.ObjectId
  /** HMAC of the 6-digit code with the user's id. */
  codeHash: string
  /** SHA-256 of the link's token. */
  tokenHash: string
  /** Wrong tries of the code, and those being checked. */
  tries: number
  expiresAt: Date
}

const resetSchema = new Schema<PasswordResetDocument>(
  {
    codeHash: { type: String, required: true },
    tokenHash: { type: String, required: true },
    tries: { type: Number, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
resetSchema.index({ tokenHash: 1 })
resetSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

export function passwordResetModel(connection: Connection) {
  return modelOf<PasswordResetDocument>(connection, 'PasswordReset', resetSchema, 'password_resets')
}
