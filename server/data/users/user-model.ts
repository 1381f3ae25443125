import { Schema, type Connection, type Types } from 'mongoose'
import { roles, type Role } from '#contract/entities/user.ts'
import { modelOf } from '../model.ts'

/**
 * The enabled second factor. `secret` is AES-256-GCM, base64 of nonce, tag and ciphertext; null where a printed list of codes is the only
 * factor. The hashes of its codes, or of the backup codes, share `backupSalt`.
 */
export interface TwoFactor {
  secret: string | null
  backupSalt: string
  backupHashes: string[]
}

/** A second factor that is not confirmed yet. Both fields are AES-256-GCM; `sealedCodes` is a JSON list. */
export interface PendingTwoFactor {
  secret: string | null
  sealedCodes: string
}

/** How the owner could prove their identity before an administrator reset the account. Hashes stay peppered, secrets stay sealed. */
export interface FormerFactors {
  email: string
  /** Whether the address was verified. Missing in closures of earlier versions: not known. */
  isVerified?: boolean
  /** Null where the password was not the owner's: somebody else had chosen it, or there was none. */
  passwordHash: string | null
  twoFactor: TwoFactor | null
  passkeys: { credentialId: string; publicKey: string }[]
}

/** A library that an administrative reset closed (docs/decisions/step-up-for-administration.md). */
export interface LibraryClosure {
  closedAt: Date
  reason: 'password' | 'address' | 'two_factor'
  former: FormerFactors
}

/** A change of address requested by an administrator. Until `effectiveAt`, super admins and the owner, who is notified, can stop it. */
export interface PendingEmail {
  email: string
  /** Address of the administrator. */
  requestedBy: string
  /** Missing in changes of earlier versions. */
  requestedById?: string
  effectiveAt: Date
  /** SHA-256 of the token in the mail to the present address. */
  stopHash: string
}

/** A change of address that took effect, and what its follow-up needs: whom to notify, and which links and sessions to end. */
export interface AppliedEmail {
  email: string
  /** The previous address, by which mails and the audit trail name the account. */
  formerEmail: string
  /** Whether this change closed the library. */
  hasClosed: boolean
  actor: { id?: string; email: string }
  at: Date
}

export interface UserDocument {
  _id: Types.ObjectId
  /** Lowercase. */
  email: string
  username: string
  /** Equal for usernames that look alike (features/users/username-key.ts); the lowercase name in accounts from before that rule. */
  usernameKey: string
  firstName: string
  lastName: string
  /** Orders lists by name without regard to case and accents (name-order.ts). */
  sortName: string
  role: Role
  isActive: boolean
  isVerified: boolean
  passwordHash: string
  /** False for people who sign in only through a provider: nobody knows a password that has the hash. Missing: true. */
  hasPassword?: boolean
  /** Whether the user has a passkey (server/data/passkeys), which is a second factor. Missing: false. */
  hasPasskey?: boolean
  mustChangePassword: boolean
  /** When a password that somebody else chose expires; null for one that the user chose. */
  passwordExpiresAt: Date | null
  twoFactor: TwoFactor | null
  /** Shown to the user, not yet confirmed by a code. */
  pendingTwoFactor: PendingTwoFactor | null
  /**
   * Whether the sign-in settings' grace period applies to the account, null for people who registered themselves. Earlier versions set
   * `next_sign_in` and `running` for the first administrator, and both are treated like `since_creation`.
   */
  twoFactorGrace: 'since_creation' | 'next_sign_in' | 'running' | null
  /** Missing or null: none. */
  pendingEmail?: PendingEmail | null
  /** Missing or null: nothing is left to do. */
  appliedEmail?: AppliedEmail | null
  /** Missing or null: the library is open. */
  libraryClosure?: LibraryClosure | null
  /** The last TOTP time step that was accepted; each is accepted once (RFC 6238, section 5.2). */
  lastTotpStep: number
  /** Code of the language (contract/texts) that the user last chose in a browser, for mails. Missing: none was chosen. */
  language?: string | undefined
  /** The mails that the user chose to get; missing: all. */
  notifications?: { email: boolean; securityAlerts: boolean }
  createdAt: Date
  lastLoginAt: Date | null
}

const twoFactor = new Schema<TwoFactor>(
  {
    secret: { type: String, default: null },
    backupSalt: { type: String, required: true },
    backupHashes: { type: [String], required: true },
  },
  { _id: false },
)

const pendingTwoFactor = new Schema<PendingTwoFactor>(
  { secret: { type: String, default: null }, sealedCodes: { type: String, required: true } },
  { _id: false },
)

const pendingEmail = new Schema<PendingEmail>(
  {
    email: { type: String, required: true },
    requestedBy: { type: String, required: true },
    requestedById: { type: String },
    effectiveAt: { type: Date, required: true },
    stopHash: { type: String, required: true },
  },
  { _id: false },
)

const appliedEmail = new Schema<AppliedEmail>(
  {
    email: { type: String, required: true },
    formerEmail: { type: String, required: true },
    hasClosed: { type: Boolean, required: true },
    actor: { type: new Schema({ id: { type: String }, email: { type: String } }, { _id: false }), required: true },
    at: { type: Date, required: true },
  },
  { _id: false },
)

const libraryClosure = new Schema<LibraryClosure>(
  {
    closedAt: { type: Date, required: true },
    reason: { type: String, required: true },
    former: {
      type: new Schema<FormerFactors>(
        {
          email: { type: String, required: true },
          isVerified: { type: Boolean },
          passwordHash: { type: String, default: null },
          twoFactor: { type: twoFactor, default: null },
          passkeys: {
            type: [new Schema({ credentialId: { type: String }, publicKey: { type: String } }, { _id: false })],
          },
        },
        { _id: false },
      ),
      required: true,
    },
  },
  { _id: false },
)

const notifications = new Schema<NonNullable<UserDocument['notifications']>>(
  { email: { type: Boolean, required: true }, securityAlerts: { type: Boolean, required: true } },
  { _id: false },
)

const schema = new Schema<UserDocument>(
  {
    email: { type: String, required: true },
    username: { type: String, required: true },
    usernameKey: { type: String, required: true },
    firstName: { type: String, default: '' },
    lastName: { type: String, default: '' },
    sortName: { type: String },
    role: { type: String, enum: roles, required: true },
    isActive: { type: Boolean, required: true },
    isVerified: { type: Boolean, required: true },
    passwordHash: { type: String, required: true },
    hasPassword: { type: Boolean },
    hasPasskey: { type: Boolean },
    mustChangePassword: { type: Boolean, default: false },
    passwordExpiresAt: { type: Date, default: null },
    twoFactor: { type: twoFactor, default: null },
    pendingTwoFactor: { type: pendingTwoFactor, default: null },
    twoFactorGrace: { type: String, default: null },
    pendingEmail: { type: pendingEmail },
    appliedEmail: { type: appliedEmail },
    libraryClosure: { type: libraryClosure },
    lastTotpStep: { type: Number, default: 0 },
    language: { type: String },
    notifications: { type: notifications },
    createdAt: { type: Date, required: true },
    lastLoginAt: { type: Date, default: null },
  },
  { versionKey: false },
)
schema.index({ email: 1 }, { unique: true })
schema.index({ usernameKey: 1 }, { unique: true })
schema.index({ createdAt: -1, _id: -1 })
schema.index({ role: 1, createdAt: -1 })
// Sort orders of the user list. Sorting by e-mail address uses the unique index.
schema.index({ sortName: 1, _id: 1 })
schema.index({ role: 1, _id: 1 })
schema.index({ lastLoginAt: 1, _id: 1 })
// Filters of the user list, and the statistics on the administration page.
schema.index({ isActive: 1 })
schema.index({ isVerified: 1 })
schema.index({ lastLoginAt: 1, createdAt: 1 })
schema.index({ 'pendingEmail.effectiveAt': 1 }, { sparse: true })
schema.index({ 'appliedEmail.at': 1 }, { sparse: true })
schema.index({ 'twoFactor.backupSalt': 1, hasPasskey: 1 })

export function userModel(connection: Connection) {
  return modelOf<UserDocument>(connection, 'User', schema, 'users')
}
