import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** One issued refresh token, by hash. Used ones are kept until the session ends, so that reuse is detected. */
export interface RefreshTokenDocument {
  /** SHA-256, base64url. */
  _id: string
  sessionId: Types.ObjectId
  userId: Types.ObjectId
  /** Hash of the token this one was exchanged for. */
  parent: string | null
  usedAt: Date | null
  expiresAt: Date
}

const refreshTokenSchema = new Schema<RefreshTokenDocument>(
  {
    _id: { type: String, required: true },
    sessionId: { type: Schema.Types.ObjectId, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    parent: { type: String, default: null },
    usedAt: { type: Date, default: null },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
refreshTokenSchema.index({ sessionId: 1, parent: 1 })
refreshTokenSchema.index({ userId: 1 })
refreshTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

export function refreshTokenModel(connection: Connection) {
  return modelOf<RefreshTokenDocument>(connection, 'RefreshToken', refreshTokenSchema, 'refresh_tokens')
}
