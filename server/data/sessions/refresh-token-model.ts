import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** One refresh token ever issued, by hash. Used ones stay until the session's end, so that using one again is noticed. */
export interface RefreshTokenDoc {
  /** SHA-256, base64url. */
  _id: string
  sessionId: Types.ObjectId
  userId: Types.ObjectId
  /** Hash of the token this one was exchanged for. */
  parent: string | null
  usedAt: Date | null
  expiresAt: Date
}

const refreshTokenSchema = new Schema<RefreshTokenDoc>(
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
  return modelOf<RefreshTokenDoc>(connection, 'RefreshToken', refreshTokenSchema, 'refresh_tokens')
}
