import { type Connection, Schema } from 'mongoose'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { LdapProviderInput, maxSignInProviders, OidcProviderInput } from '#contract/entities/sign-in-provider.ts'
import { toObjectId } from '../ids.ts'
import { insertInSlot, addSlots, type SlottedDocument } from '../slots.ts'
import { modelOf } from '../model.ts'

const OidcSettings = OidcProviderInput.omit({ client_secret: true })
const LdapSettings = LdapProviderInput.omit({ bind_password: true })
export type OidcSettings = z.infer<typeof OidcSettings>
export type LdapSettings = z.infer<typeof LdapSettings>

/** The settings of a provider without its secret. */
export const ProviderSettings = z.discriminatedUnion('kind', [OidcSettings, LdapSettings])
export type ProviderSettings = z.infer<typeof ProviderSettings>

export interface SignInProviderRecord<Settings extends ProviderSettings = ProviderSettings> {
  id: string
  settings: Settings
  sealedSecret: string | null
  createdAt: Date
  updatedAt: Date
}

/** A provider that people sign in through. */
interface SignInProviderDocument extends SlottedDocument {
  /** The name in lowercase, unique: two providers with the same name could not be told apart on the sign-in page. */
  nameKey: string
  isEnabled: boolean
  /** Parsed by `StoredSettings` when read, so that settings added later get their defaults. */
  settings: unknown
  /** The client secret or the password of the searching account, encrypted with the server's key. */
  sealedSecret: string | null
  createdAt: Date
  /** Data about the provider kept in memory is reread when this changes. */
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

/** Reads and writes providers, which apply to the whole server. Writing a taken name throws a duplicate key error. */
export function createSignInProviderRepository(connection: Connection) {
  const providers = signInProviderModel(connection)

  /** Returns all providers, oldest first. */
  async function list(): Promise<SignInProviderRecord[]> {
    const found = await providers.find().sort({ _id: 1 }).limit(maxSignInProviders).lean<SignInProviderDocument[]>()
    return found.map(toRecord)
  }

  async function find(id: string): Promise<SignInProviderRecord | undefined> {
    const found = await providers.findById(toObjectId(id)).lean<SignInProviderDocument>()
    return found ? toRecord(found) : undefined
  }

  /** Stores a provider. Throws `conflict` where there is already the maximum number of providers. */
  async function insert({ id, settings, ...fields }: SignInProviderRecord): Promise<void> {
    const document = { ...fields, ...indexedFieldsOf(settings), _id: toObjectId(id), settings }
    const limit = { model: providers, scope: {}, max: maxSignInProviders, fullError: tooManyProviders }
    await insertInSlot(limit, (slot) => providers.create({ ...document, slot }))
  }

  /** Replaces a provider. Returns undefined where there is none. */
  async function update({
    id,
    settings,
    sealedSecret,
    updatedAt,
  }: Omit<SignInProviderRecord, 'createdAt'>): Promise<SignInProviderRecord | undefined> {
    const fields = { ...indexedFieldsOf(settings), settings, sealedSecret, updatedAt }
    const changed = await providers
      .findOneAndUpdate({ _id: toObjectId(id) }, { $set: fields }, { returnDocument: 'after' })
      .lean<SignInProviderDocument>()
    return changed ? toRecord(changed) : undefined
  }

  async function remove(id: string): Promise<void> {
    await providers.deleteOne({ _id: toObjectId(id) })
  }

  return { list, find, insert, update, remove }
}

export type SignInProviderRepository = ReturnType<typeof createSignInProviderRepository>

function tooManyProviders(): AppError {
  return new AppError('conflict', `There are ${maxSignInProviders} providers. Please remove one that is not used.`)
}

function indexedFieldsOf({ name, is_enabled: isEnabled }: ProviderSettings) {
  return { nameKey: name.normalize('NFKC').toLowerCase(), isEnabled }
}

function toRecord({ _id, settings, sealedSecret, createdAt, updatedAt }: SignInProviderDocument): SignInProviderRecord {
  return { id: _id.toHexString(), settings: ProviderSettings.parse(settings), sealedSecret, createdAt, updatedAt }
}

export function signInProviderModel(connection: Connection) {
  return modelOf<SignInProviderDocument>(connection, 'SignInProvider', schema, 'sign_in_providers')
}
