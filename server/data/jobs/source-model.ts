import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/**
 * A text or a transcription sent for translation. It is stored before its job, because job payloads carry ids and never content.
 * Identical content of one user is stored only once.
 */
export interface SourceDocument {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  recordingId: Types.ObjectId | null
  /** SHA-256 of the packed content's JSON. */
  hash: string
  /** Packed JSON of TranslationSource. */
  data: Uint8Array
  /** Bytes of `data`, which count against the quota. */
  sizeBytes: number
  /** When it was last sent. */
  usedAt: Date
}

const schema = new Schema<SourceDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    recordingId: { type: Schema.Types.ObjectId, default: null },
    hash: { type: String, required: true },
    data: { type: Schema.Types.Buffer, required: true },
    sizeBytes: { type: Number, default: 0 },
    usedAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, hash: 1 }, { unique: true })
schema.index({ ownerId: 1, recordingId: 1 })
schema.index({ recordingId: 1, usedAt: 1 })

/** The sources of one database connection. */
export function sourceModel(connection: Connection): Model<SourceDocument> {
  return modelOf<SourceDocument>(connection, 'Source', schema, 'sources')
}
