import { Schema, type Connection, type Types } from 'mongoose'
import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'
import { modelOf } from '../model.ts'

export interface KeywordDoc {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  category: KeywordCategory
  /** Lowercase, trimmed. */
  keyword: string
  /** Whether it is also found where a similar word stands; absent in records from before the option. */
  soundsLike?: boolean
}

const keywordSchema = new Schema<KeywordDoc>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    category: { type: String, enum: keywordCategories, required: true },
    keyword: { type: String, required: true },
    soundsLike: { type: Boolean, default: false },
  },
  { versionKey: false },
)
keywordSchema.index({ ownerId: 1, category: 1, keyword: 1 }, { unique: true })

export function keywordModel(connection: Connection) {
  return modelOf<KeywordDoc>(connection, 'Keyword', keywordSchema, 'keywords')
}

/** A mail kept as a file because no mail server is set, or until that server takes it; its text stands in the file alone. */
export interface OutboxDoc {
  _id: Types.ObjectId
  userId: Types.ObjectId
  to: string
  subject: string
  purpose: string
  /** Tries that failed. */
  attempts: number
  /** Why the last try failed; empty where none did. */
  lastError: string
  /** When it is sent, or tried again; null where no mail server is set. A try under way sets it ahead. */
  nextTryAt: Date | null
  createdAt: Date
  expiresAt: Date
}

const outboxSchema = new Schema<OutboxDoc>(
  {
    userId: { type: Schema.Types.ObjectId, required: true },
    to: { type: String, required: true },
    subject: { type: String, required: true },
    purpose: { type: String, required: true },
    attempts: { type: Number, default: 0 },
    lastError: { type: String, default: '' },
    nextTryAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
outboxSchema.index({ userId: 1, purpose: 1 })
outboxSchema.index({ createdAt: -1, _id: -1 })
outboxSchema.index({ expiresAt: 1 })
outboxSchema.index({ nextTryAt: 1 })
outboxSchema.index({ attempts: 1 })

export function outboxModel(connection: Connection) {
  return modelOf<OutboxDoc>(connection, 'OutboxMail', outboxSchema, 'outbox_mails')
}
