import { Schema, type Connection, type Types } from 'mongoose'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

/** A passkey: the public half of a key pair that a device or a password manager keeps (WebAuthn Level 3, section 4, "credential record"). */
export interface PasskeyDocument extends SlottedDocument {
  userId: Types.ObjectId
  /** The credential id that the authenticator chose, base64url. */
  credentialId: string
  /** COSE key, base64url. */
  publicKey: string
  /** The signature counter of the last use; 0 for authenticators that do not count, as those that copy passkeys between devices. */
  counter: number
  /** How the browser said that it reaches the authenticator, such as `internal`, `hybrid` or `usb`. */
  transports: string[]
  name: string
  /** Whether the authenticator may copy it to other devices, and whether it has. */
  isBackupEligible: boolean
  isBackedUp: boolean
  createdAt: Date
  lastUsedAt: Date | null
}

const schema = new Schema<PasskeyDocument>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    credentialId: { type: String, required: true },
    publicKey: { type: String, required: true },
    counter: { type: Number, required: true },
    transports: { type: [String], default: [] },
    name: { type: String, required: true },
    isBackupEligible: { type: Boolean, required: true },
    isBackedUp: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
    slot: { type: Number },
  },
  { versionKey: false },
)
schema.index({ credentialId: 1 }, { unique: true })
schema.index({ userId: 1, _id: 1 })
addSlots(schema, ['userId'])

export function passkeyModel(connection: Connection) {
  return modelOf<PasskeyDocument>(connection, 'Passkey', schema, 'passkeys')
}
