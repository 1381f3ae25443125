import { Schema, type Connection } from 'mongoose'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

/** A provider that people sign in through. */
export interface SignInProviderDocument extends SlottedDocument {
  /** The name in lower case: two providers with the same name could not be told apart on the sign-in page. */
  nameKey: string
  isEnabled: boolean
  /** `StoredSettings`, checked when it is read, so that settings which were added later have their defaults. */
  settings: unknown
  /** The client secret or the password of the searching account, encrypted with the server's key. */
  sealedSecret: string | null
  createdAt: Date
  /** What is kept in memory of a provider is read again when this changes. */
  updatedAt: Date
}

const schema = new Schema<SignInProviderDocument>(
  {
    nameKey: { type: String, required: true },
    isEnabled: { type: Boolean, required: true },
    settings: { type: Schema.Types.Mixed, required: true },
    sealedSecret: { type: String, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    slot: { type: Number },
  },
  { versionKey: false },
)
schema.index({ nameKey: 1 }, { unique: true })
addSlots(schema, [])

export function signInProviderModel(connection: Connection) {
  return modelOf<SignInProviderDocument>(connection, 'SignInProvider', schema, 'sign_in_providers')
}
