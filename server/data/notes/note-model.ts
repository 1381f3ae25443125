import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { FlaggedLine } from '#contract/notes.ts'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

/** A note at a time of a recording: see NoteRecord. */
export interface NoteDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  recordingId: Types.ObjectId
  timeMs: number
  text: string
  /** Of a flag: see FlaggedLine; missing for notes and bookmarks. */
  line?: FlaggedLine
  createdAt: Date
  updatedAt: Date
}

const schema = new Schema<NoteDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    recordingId: { type: Schema.Types.ObjectId, required: true },
    timeMs: { type: Number, required: true },
    text: { type: String, default: '' },
    line: { type: Schema.Types.Mixed },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    slot: { type: Number },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ ownerId: 1, recordingId: 1, timeMs: 1 })
addSlots(schema, ['ownerId', 'recordingId'])

/** The notes of one database connection. */
export function noteModel(connection: Connection): Model<NoteDocument> {
  return modelOf<NoteDocument>(connection, 'Note', schema, 'notes')
}
