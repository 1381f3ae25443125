import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** Facts about the library of an owner as a whole. */
export interface LibraryOwnerDocument {
  /** The owner's id. */
  _id: Types.ObjectId
  /** Set once every recording has an entry, including those of older versions. */
  isComplete?: true
  /** Set while hits must be recounted because keywords changed; gets a new value with each change. */
  recountKey?: string
}

const schema = new Schema<LibraryOwnerDocument>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    isComplete: Boolean,
    recountKey: String,
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ recountKey: 1 }, { sparse: true })

/** The libraries of one database connection. */
export function libraryOwnerModel(connection: Connection): Model<LibraryOwnerDocument> {
  return modelOf<LibraryOwnerDocument>(connection, 'LibraryOwner', schema, 'library_owners')
}
