import { Schema, type Connection } from 'mongoose'
import { modelOf } from '../model.ts'

/** Failed attempts at one e-mail address, with or without an account: of all unknown devices together, or of one device or session. */
export interface LockoutDocument {
  /** HMAC of the normalised e-mail address and of who attempts. */
  _id: string
  /** HMAC of just the e-mail address: what an admin unlocks. */
  account: string
  failures: number
  /** Locks so far; each doubles the duration of the next. */
  level: number
  lockedUntil: Date
  /** The attempt that caused the lock, so that it can release the lock when it succeeds. */
  lockedBy: string
  expiresAt: Date
}

const lockoutSchema = new Schema<LockoutDocument>(
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
  return modelOf<LockoutDocument>(connection, 'Lockout', lockoutSchema, 'lockouts')
}
