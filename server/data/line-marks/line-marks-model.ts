import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** What people said of the lines of one recording: see StoredMark. */
export interface LineMarksDocument {
  /** The recording's. */
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  revision: number
  /** Packed JSON of the marks. */
  data: Uint8Array
  /** The shares of the lines that were verified, and by two people or more, 0 to 1. */
  verified: number
  verifiedTwice: number
  /** The text that the shares were counted with: see reviewedText. */
  countedText: string
}

const schema = new Schema<LineMarksDocument>(
  {
    _id: { type: Schema.Types.ObjectId, required: true },
    ownerId: { type: Schema.Types.ObjectId, required: true },
    revision: { type: Number, required: true },
    data: { type: Schema.Types.Buffer, required: true },
    verified: { type: Number, required: true },
    verifiedTwice: { type: Number, required: true },
    countedText: { type: String, default: '' },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1 })

/** The marks of lines, of one database connection. */
export function lineMarksModel(connection: Connection): Model<LineMarksDocument> {
  return modelOf<LineMarksDocument>(connection, 'LineMarks', schema, 'line_marks')
}
