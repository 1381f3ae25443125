import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** A part of an owner's index that never changes: the words of some recordings, in blocks. */
interface StoredSegment {
  id: Types.ObjectId
  blockCount: number
  sizeBytes: number
  /** Ordinals of the recordings in it: see encodeNumbers. */
  ordinals: Uint8Array
  addedAt: Date
}

interface StoredGarbage {
  id: Types.ObjectId
  since: Date
  /** Whether its blocks are being removed: it can no longer be added. */
  isDropped?: true
}

/** An owner's search index: which segments it consists of. See docs/decisions/search-index.md. */
export interface SearchIndexDocument {
  /** The owner's id. */
  _id: Types.ObjectId
  /** Grows with every change of `segments`. */
  version: number
  /** The last ordinal assigned. */
  lastOrdinal: number
  segments: StoredSegment[]
  /** Segments that are not in `segments` but may have stored blocks: being written, abandoned or replaced. */
  garbage: StoredGarbage[]
  /** When there may be something to merge or remove; missing for never. */
  dueAt?: Date
  /** When words of deleted or rewritten recordings are removed; missing for never. */
  purgeAt?: Date
}

const schema = new Schema<SearchIndexDocument>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    version: { type: Number, required: true },
    lastOrdinal: { type: Number, required: true },
    segments: { type: Schema.Types.Mixed, required: true },
    garbage: { type: Schema.Types.Mixed, required: true },
    dueAt: { type: Date },
    purgeAt: { type: Date },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ dueAt: 1 })

/** The search indexes of one database connection. */
export function searchIndexModel(connection: Connection): Model<SearchIndexDocument> {
  return modelOf<SearchIndexDocument>(connection, 'SearchIndex', schema, 'search_indexes')
}
