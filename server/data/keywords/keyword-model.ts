import { Schema, type Connection, type Types } from 'mongoose'
import { keywordCategories, type KeywordCategory } from '#contract/keywords/keywords.ts'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

export interface KeywordDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  category: KeywordCategory
  /** Lowercase, trimmed. */
  keyword: string
  /** Whether words that sound alike match too; absent in documents of earlier versions. */
  soundsLike?: boolean
}

const keywordSchema = new Schema<KeywordDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    category: { type: String, enum: keywordCategories, required: true },
    keyword: { type: String, required: true },
    soundsLike: { type: Boolean, default: false },
    slot: { type: Number },
  },
  { versionKey: false },
)
keywordSchema.index({ ownerId: 1, category: 1, keyword: 1 }, { unique: true })
addSlots(keywordSchema, ['ownerId', 'category'])

export function keywordModel(connection: Connection) {
  return modelOf<KeywordDocument>(connection, 'Keyword', keywordSchema, 'keywords')
}
