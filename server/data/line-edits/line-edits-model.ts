import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** What people edited in the lines of one transcription: see LineEdits. */
export interface LineEditsDocument {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  recordingId: Types.ObjectId
  transcriptionId: Types.ObjectId
  revision: number
  /** Packed JSON of the edits. */
  data: Uint8Array
}

const schema = new Schema<LineEditsDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    recordingId: { type: Schema.Types.ObjectId, required: true },
    transcriptionId: { type: Schema.Types.ObjectId, required: true },
    revision: { type: Number, required: true },
    data: { type: Schema.Types.Buffer, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ transcriptionId: 1 }, { unique: true })
schema.index({ ownerId: 1, recordingId: 1 })

/** The line edits of one database connection. */
export function lineEditsModel(connection: Connection): Model<LineEditsDocument> {
  return modelOf<LineEditsDocument>(connection, 'LineEdits', schema, 'line_edits')
}
