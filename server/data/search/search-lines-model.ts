import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** The lines of a recording as shown in results. While they are being rewritten, a recording has two such documents. */
export interface SearchLinesDocument {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  recordingId: Types.ObjectId
  /** See SearchEntryDocument. */
  ordinal: number
  /** Packed JSON of the lines. */
  data: Uint8Array
}

const schema = new Schema<SearchLinesDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    recordingId: { type: Schema.Types.ObjectId, required: true },
    ordinal: { type: Number, required: true },
    data: { type: Schema.Types.Buffer, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, recordingId: 1, ordinal: 1 })

/** The searched lines of one database connection. */
export function searchLinesModel(connection: Connection): Model<SearchLinesDocument> {
  return modelOf<SearchLinesDocument>(connection, 'SearchLines', schema, 'search_lines')
}
