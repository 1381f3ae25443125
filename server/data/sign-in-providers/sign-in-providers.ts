import type { Connection } from 'mongoose'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { LdapProviderInput, maxSignInProviders, OidcProviderInput } from '#contract/entities/sign-in-provider.ts'
import { toObjectId } from '../ids.ts'
import { insertInSlot } from '../slots.ts'
import { signInProviderModel, type SignInProviderDocument } from './sign-in-provider-model.ts'

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

/** Reads and writes providers, which belong to the whole server. Writes of a taken name throw a duplicate key error. */
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

  /** Throws `conflict` where there is the maximum of providers. */
  async function insert({ id, settings, ...fields }: SignInProviderRecord): Promise<void> {
    const document = { ...fields, ...indexedFieldsOf(settings), _id: toObjectId(id), settings }
    const limit = { model: providers, scope: {}, max: maxSignInProviders, fullError: tooManyProviders }
    await insertInSlot(limit, (slot) => providers.create({ ...document, slot }))
  }

  /** Replaces a provider; undefined where there is none. */
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
