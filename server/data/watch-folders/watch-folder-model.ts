import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { modelOf } from '../model.ts'

/** Why something of a folder is not imported. */
export interface WatchFolderProblem {
  /** Of the file or folder, relative to the watched folder; empty for the document's own folder. */
  path: string
  /** A sentence for people, with what they can do. */
  reason: string
}

/** A folder in the watched one, and the watched folder itself under an empty name: docs/decisions/watch-folder.md. */
export interface WatchFolderDocument {
  _id: Types.ObjectId
  name: string
  /** What its recordings belong to; null for nothing so far. Set once, and changed only by super admins. */
  recipientKind: 'user' | 'case' | null
  recipientId: Types.ObjectId | null
  boundAt: Date | null
  /** Whether it was there when the watched folder was last looked through. */
  isPresent: boolean
  /** Files that are not imported yet. */
  waiting: number
  problems: WatchFolderProblem[]
  /** With those that were too many to store. */
  problemCount: number
  lastTakenAt: Date | null
  /** When the state above was found. */
  checkedAt: Date
}

const problem = new Schema<WatchFolderProblem>(
  { path: { type: String, default: '' }, reason: { type: String, required: true } },
  { _id: false },
)

const schema = new Schema<WatchFolderDocument>(
  {
    name: { type: String, required: true },
    recipientKind: { type: String, default: null },
    recipientId: { type: Schema.Types.ObjectId, default: null },
    boundAt: { type: Date, default: null },
    isPresent: { type: Boolean, required: true },
    waiting: { type: Number, required: true },
    problems: { type: [problem], required: true },
    problemCount: { type: Number, required: true },
    lastTakenAt: { type: Date, default: null },
    checkedAt: { type: Date, required: true },
  },
  { versionKey: false, autoIndex: false },
)
schema.index({ name: 1 }, { unique: true })

/** The folders in the watched folder, of one database connection. */
export function watchFolderModel(connection: Connection): Model<WatchFolderDocument> {
  return modelOf<WatchFolderDocument>(connection, 'WatchFolder', schema, 'watch_folders')
}
