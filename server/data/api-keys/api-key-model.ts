import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { apiKeyScopes, type ApiKeyScope } from '#contract/entities/api-key.ts'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

/** A key for programs that act for its owner: see ApiKeyRecord. */
export interface ApiKeyDocument extends SlottedDocument {
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
  /** Addresses that it was used from, the latest last; use from another one is audited. */
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

/** The API keys of one database connection. */
export function apiKeyModel(connection: Connection): Model<ApiKeyDocument> {
  return modelOf<ApiKeyDocument>(connection, 'ApiKey', schema, 'api_keys')
}
