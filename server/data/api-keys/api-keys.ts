import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { maxApiKeys, apiKeyScopes, type ApiKeyScope } from '#contract/entities/api-key.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { findFreeSlots, insertInSlot, type SlotLimit, addSlots, type SlottedDocument } from '../slots.ts'
import { modelOf } from '../model.ts'

export interface ApiKeyRecord extends Omit<ApiKeyDocument, '_id' | 'ownerId' | 'slot'> {
  id: string
  ownerId: string
}

export type NewApiKey = Pick<
  ApiKeyRecord,
  'ownerId' | 'name' | 'prefix' | 'tokenHash' | 'scope' | 'createdAt' | 'expiresAt'
>

const maxAddresses = 50

/** A key for programs that act for its owner: see ApiKeyRecord. */
interface ApiKeyDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  name: string
  /** The part of the token that finds the key. */
  prefix: string
  /** SHA-256 of the whole token. */
  tokenHash: string
  scope: ApiKeyScope
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  lastUsedFrom: string | null
  /** Addresses that it was used from, the latest last; use from a new address is audited. */
  addresses: string[]
}

const schema = new Schema<ApiKeyDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    prefix: { type: String, required: true },
    tokenHash: { type: String, required: true },
    scope: { type: String, enum: apiKeyScopes, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    lastUsedAt: { type: Date, default: null },
    lastUsedFrom: { type: String, default: null },
    addresses: { type: [String], default: [] },
    slot: { type: Number },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ prefix: 1 }, { unique: true })
schema.index({ ownerId: 1, _id: -1 })
addSlots(schema, ['ownerId'])

/** Returns the keys of an owner, newest first. */
export async function listApiKeys(connection: DatabaseConnection, ownerId: string): Promise<ApiKeyRecord[]> {
  const found = await apiKeyModel(connection)
    .find({ ownerId: toObjectId(ownerId) })
    .sort({ _id: -1 })
    .limit(maxApiKeys * 2)
    .lean<ApiKeyDocument[]>()
  return found.map(toRecord)
}

/** Throws `conflict` where the owner has the maximum of keys. */
export async function assertRoomForApiKey(connection: DatabaseConnection, ownerId: string): Promise<void> {
  const limit = limitOf(connection, ownerId)
  if ((await findFreeSlots(limit, 1)).length === 0) throw limit.fullError()
}

/** Finds a key by the prefix of its token, including expired keys. */
export async function findByPrefix(connection: DatabaseConnection, prefix: string): Promise<ApiKeyRecord | null> {
  const found = await apiKeyModel(connection).findOne({ prefix }).lean<ApiKeyDocument>()
  return found && toRecord(found)
}

/** Returns whether the owner has this key and it has not expired. */
export async function isApiKeyLive(
  connection: DatabaseConnection,
  { id, ownerId }: { id: string; ownerId: string },
  now: Date,
): Promise<boolean> {
  const filter = { _id: toObjectId(id), ownerId: toObjectId(ownerId), expiresAt: { $gt: now } }
  return (await apiKeyModel(connection).exists(filter)) !== null
}

/** Throws `conflict` where the owner has the maximum of keys. */
export async function insertApiKey(connection: DatabaseConnection, key: NewApiKey): Promise<ApiKeyRecord> {
  const ownerId = toObjectId(key.ownerId)
  const created = await insertInSlot(limitOf(connection, key.ownerId), (slot) =>
    apiKeyModel(connection).create({ ...key, ownerId, slot }),
  )
  return toRecord(created.toObject())
}

/** Records a use of the key, unless one after `notSince` was recorded. */
export async function recordUse(
  connection: DatabaseConnection,
  { id }: Pick<ApiKeyRecord, 'id'>,
  { at, notSince, address }: { at: Date; notSince: Date; address: string },
): Promise<void> {
  await apiKeyModel(connection).updateOne(
    { _id: toObjectId(id), $or: [{ lastUsedAt: null }, { lastUsedAt: { $lte: notSince } }] },
    { $set: { lastUsedAt: at, lastUsedFrom: address } },
  )
}

/** Records an address that the key was used from. Returns whether it is new. */
export async function recordAddress(
  connection: DatabaseConnection,
  { id }: Pick<ApiKeyRecord, 'id'>,
  address: string,
): Promise<boolean> {
  const { modifiedCount } = await apiKeyModel(connection).updateOne(
    { _id: toObjectId(id), addresses: { $ne: address } },
    { $push: { addresses: { $each: [address], $slice: -maxAddresses } } },
  )
  return modifiedCount === 1
}

/** Deletes a key. Returns the deleted key, or null. */
export async function removeApiKey(
  connection: DatabaseConnection,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<ApiKeyRecord | null> {
  const removed = await apiKeyModel(connection)
    .findOneAndDelete({ _id: toObjectId(id), ownerId: toObjectId(ownerId) })
    .lean<ApiKeyDocument>()
  return removed && toRecord(removed)
}

/** Deletes all keys of an owner. */
export async function removeApiKeys(connection: DatabaseConnection, ownerId: string): Promise<void> {
  await apiKeyModel(connection).deleteMany({ ownerId: toObjectId(ownerId) })
}

function limitOf(connection: DatabaseConnection, ownerId: string): SlotLimit<ApiKeyDocument> {
  return {
    model: apiKeyModel(connection),
    scope: { ownerId: toObjectId(ownerId) },
    max: maxApiKeys,
    fullError: () =>
      new AppError('conflict', `You have ${maxApiKeys} API keys. Please revoke one that is not used any more.`),
  }
}

function toRecord({ _id, ownerId, slot: _slot, ...fields }: ApiKeyDocument): ApiKeyRecord {
  return { ...fields, id: _id.toHexString(), ownerId: ownerId.toHexString() }
}

/** The API keys of one database connection. */
export function apiKeyModel(connection: Connection): Model<ApiKeyDocument> {
  return modelOf<ApiKeyDocument>(connection, 'ApiKey', schema, 'api_keys')
}
