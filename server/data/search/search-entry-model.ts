import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { KeywordCategory } from '#contract/keywords/keywords.ts'
import { modelOf } from '../model.ts'

/** The lines of a recording with keywords. */
export interface StoredHitLines {
  /** The ordinal of the lines that these numbers refer to. */
  ordinal: number
  /** The numbers of the lines by category: see encodeNumbers. */
  lines: Partial<Record<KeywordCategory, Uint8Array>>
}

/** What the search knows about a recording besides its lines. */
export interface SearchEntryDocument {
  /** The recording's id. */
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  /** Identifies the recording in the index. Each write of its lines assigns a new ordinal; postings of earlier ones are dead. */
  ordinal: number
  lineCount: number
  /** The main language of its lines; null when unknown. */
  language: string | null
  /** Identifies what its lines were made from; empty to have them rewritten. */
  fingerprint: string
  /** The state of the recording when its lines were read, so that a check need not read them; missing in entries of earlier versions. */
  source?: string
  /** Written after the lines, and again when keywords change; missing until then. */
  hitLines?: StoredHitLines
  /** The number of the last change: see change-counter.ts. */
  change: number
}

const schema = new Schema<SearchEntryDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    ordinal: { type: Number, required: true },
    lineCount: { type: Number, required: true },
    language: { type: String, default: null },
    fingerprint: { type: String, default: '' },
    source: { type: String },
    hitLines: { type: Schema.Types.Mixed },
    change: { type: Number, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, change: 1 })
schema.index({ ownerId: 1, ordinal: 1 })

/** The search entries of one database connection. */
export function searchEntryModel(connection: Connection): Model<SearchEntryDocument> {
  return modelOf<SearchEntryDocument>(connection, 'SearchEntry', schema, 'search_entries')
}
