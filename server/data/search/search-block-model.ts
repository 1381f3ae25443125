import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** A block of a segment, or the list of the first words of its blocks. */
export interface SearchBlockDocument {
  /** `SEGMENT.NUMBER`, or `SEGMENT.words`. */
  _id: string
  ownerId: Types.ObjectId
  data: Uint8Array
}

const schema = new Schema<SearchBlockDocument>(
  {
    _id: { type: String, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    data: { type: Schema.Types.Buffer, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1 })

/** The blocks of all search indexes of one database connection. */
export function searchBlockModel(connection: Connection): Model<SearchBlockDocument> {
  return modelOf<SearchBlockDocument>(connection, 'SearchBlock', schema, 'search_blocks')
}
