import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

export interface SessionDoc {
  _id: Types.ObjectId
  userId: Types.ObjectId
  ip: string
  userAgent: string
  isRemembered: boolean
  /** SHA-256 of the browser-binding cookie; null for callers that are no browser. */
  bindingHash: string | null
  /** Grows when the password is given again or changed: access tokens of an earlier generation are void at once. */
  generation: number
  /** When the password was last given in this session. */
  authenticatedAt: Date
  createdAt: Date
  lastUsedAt: Date
  /** End without use; moves at each refresh. */
  idleExpiresAt: Date
  /** End in any case. */
  expiresAt: Date
}

const sessionSchema = new Schema<SessionDoc>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    ip: { type: String, default: '' },
    userAgent: { type: String, default: '' },
    isRemembered: { type: Boolean, required: true },
    bindingHash: { type: String, default: null },
    generation: { type: Number, default: 0 },
    authenticatedAt: { type: Date, default: () => new Date(0) },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    idleExpiresAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
sessionSchema.index({ userId: 1, lastUsedAt: -1 })
sessionSchema.index({ idleExpiresAt: 1 }, { expireAfterSeconds: 3600 })

/** A session that ended is a session that is not there. */
export function sessionModel(connection: Connection) {
  return modelOf<SessionDoc>(connection, 'Session', sessionSchema, 'sessions')
}
