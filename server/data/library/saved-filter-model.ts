import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

export interface SavedFilterDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  name: string
  /** Parsed by LibraryFilter. */
  filter: unknown
  /** Parsed by LibraryOrder. */
  order: unknown
}

const schema = new Schema<SavedFilterDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    filter: { type: Schema.Types.Mixed, required: true },
    order: { type: Schema.Types.Mixed, required: true },
    slot: { type: Number },
  },
  { versionKey: false, autoIndex: false, minimize: false },
)
schema.index({ ownerId: 1, name: 1 }, { unique: true })
addSlots(schema, ['ownerId'])

/** The saved filters of one database connection. */
export function savedFilterModel(connection: Connection): Model<SavedFilterDocument> {
  return modelOf<SavedFilterDocument>(connection, 'SavedFilter', schema, 'saved_filters')
}
