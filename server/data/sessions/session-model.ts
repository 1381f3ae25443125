import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

export interface SessionDocument {
  _id: Types.ObjectId
  userId: Types.ObjectId
  ip: string
  userAgent: string
  isRemembered: boolean
  /** SHA-256 of the browser-binding cookie; null for callers other than browsers. */
  bindingHash: string | null
  /** Incremented when the password is confirmed or changed, which voids access tokens of earlier generations at once. */
  generation: number
  /** Whether the provider stands in for a second factor, so that the gate does not ask for ours. */
  hasProvenSecondFactor?: boolean
  /** Where the session began; missing if here. `sid` is the provider's session, `idToken` what single sign-out sends to it. */
  provider?: { id: string; sid: string | null; idToken: string | null }
  /** Whether the password was entered in this session. Missing in sessions of earlier versions: true unless a provider began it. */
  hasEnteredPassword?: boolean
  /** When the password was last entered in this session. */
  authenticatedAt: Date
  /** When every factor of the account was last proven in this session. Missing in sessions of earlier versions: when it began. */
  confirmedAt?: Date
  createdAt: Date
  lastUsedAt: Date
  /** End of an unused session; extended by each refresh. */
  idleExpiresAt: Date
  /** Absolute end of the session. */
  expiresAt: Date
}

const provider = new Schema<NonNullable<SessionDocument['provider']>>(
  {
    id: { type: String, required: true },
    sid: { type: String, default: null },
    idToken: { type: String, default: null },
  },
  { _id: false },
)

const sessionSchema = new Schema<SessionDocument>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    ip: { type: String, default: '' },
    userAgent: { type: String, default: '' },
    isRemembered: { type: Boolean, required: true },
    bindingHash: { type: String, default: null },
    generation: { type: Number, default: 0 },
    hasProvenSecondFactor: { type: Boolean },
    provider: { type: provider },
    hasEnteredPassword: { type: Boolean },
    authenticatedAt: { type: Date, default: () => new Date(0) },
    confirmedAt: { type: Date },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    idleExpiresAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
sessionSchema.index({ userId: 1, lastUsedAt: -1 })
// For single sign-out, and for the removal of a provider.
sessionSchema.index({ 'provider.id': 1, 'provider.sid': 1 }, { sparse: true })
sessionSchema.index({ lastUsedAt: -1, _id: -1 })
sessionSchema.index({ idleExpiresAt: 1 }, { expireAfterSeconds: 3600 })

/** The sessions of one database connection. Ended sessions are deleted. */
export function sessionModel(connection: Connection) {
  return modelOf<SessionDocument>(connection, 'Session', sessionSchema, 'sessions')
}
