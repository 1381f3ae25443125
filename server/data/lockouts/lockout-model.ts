import { Schema, type Connection } from 'mongoose'
import { modelOf } from '../model.ts'

/** Failed attempts of one e-mail, whether or not an account has it: of strangers together, or of one device or session. */
export interface LockoutDoc {
  /** HMAC of the normalised e-mail, and of who tries. */
  _id: string
  /** HMAC of the e-mail alone: what an admin unlocks. */
  account: string
  failures: number
  /** Locks so far: each doubles the time of the next. */
  level: number
  lockedUntil: Date
  /** The attempt that caused the lock, so that it can take the lock back when it succeeds. */
  lockedBy: string
  expiresAt: Date
}

const lockoutSchema = new Schema<LockoutDoc>(
  {
    _id: { type: String, required: true },
    account: { type: String, default: '' },
    failures: { type: Number, required: true },
    level: { type: Number, required: true },
    lockedUntil: { type: Date, required: true },
    lockedBy: { type: String, default: '' },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
lockoutSchema.index({ account: 1, lockedUntil: -1 })
lockoutSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

export function lockoutModel(connection: Connection) {
  return modelOf<LockoutDoc>(connection, 'Lockout', lockoutSchema, 'lockouts')
}
