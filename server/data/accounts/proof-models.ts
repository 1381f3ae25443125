import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** A verification link that was mailed: SHA-256 of its token. */
export interface VerificationDoc {
  _id: string
  userId: Types.ObjectId
  /** The address it proves. */
  email: string
  expiresAt: Date
}

const verificationSchema = new Schema<VerificationDoc>(
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
  return modelOf<VerificationDoc>(connection, 'Verification', verificationSchema, 'verifications')
}

/** The one valid reset of a user: a newer one replaces it. */
export interface PasswordResetDoc {
  /** The user's id. */
  _id: Types.ObjectId
  /** HMAC of the 6-digit code with the user's id. */
  codeHash: string
  /** SHA-256 of the link's token. */
  tokenHash: string
  /** Wrong and running tries of the code. */
  tries: number
  expiresAt: Date
}

const resetSchema = new Schema<PasswordResetDoc>(
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
  return modelOf<PasswordResetDoc>(connection, 'PasswordReset', resetSchema, 'password_resets')
}

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
