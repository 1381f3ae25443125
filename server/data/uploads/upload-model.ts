import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'
import { addSlots, type SlottedDocument } from '../slots.ts'

/** An unfinished resumable upload: see UploadRecord. Its id becomes the recording's id. */
export interface UploadDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  name: string
  extension: string
  fingerprint: string
  sizeBytes: number
  /** Bytes known to be on disk; the file may have more after a crash. */
  receivedBytes: number
  /** Bytes that count against the quota: `sizeBytes` until the recording counts instead. */
  heldBytes: number
  createdAt: Date
  /** Deferred whenever bytes arrive. */
  expiresAt: Date
  /** Who may change it until when: see takeUploadTurn. */
  turn?: { holder: string; work: 'receive' | 'finish'; until: Date } | null
}

const schema = new Schema<UploadDocument>(
  {
    ownerId: { type: Schema.Types.ObjectId, required: true },
    name: { type: String, required: true },
    extension: { type: String, required: true },
    fingerprint: { type: String, default: '' },
    sizeBytes: { type: Number, required: true },
    receivedBytes: { type: Number, required: true },
    heldBytes: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    turn: { type: { holder: String, work: String, until: Date, _id: false } },
    slot: { type: Number },
  },
  { versionKey: false, autoIndex: false },
)
addSlots(schema, ['ownerId'])
schema.index({ ownerId: 1, createdAt: 1 })
// Not a TTL index: each upload also has a file to delete.
schema.index({ expiresAt: 1 })

/** The resumable uploads of one database connection. */
export function uploadModel(connection: Connection): Model<UploadDocument> {
  return modelOf<UploadDocument>(connection, 'Upload', schema, 'uploads')
}
