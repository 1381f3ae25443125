import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey, modelOf } from '../model.ts'

/** The recipient of a folder's recordings: a user, or a case and its owner. */
export interface BoundRecipient {
  kind: 'user' | 'case'
  id: string
}

export interface WatchFolderRecord {
  /** Empty for the watched folder itself. */
  name: string
  recipient: BoundRecipient | null
  boundAt: Date | null
  isPresent: boolean
  waiting: number
  problems: WatchFolderProblem[]
  problemCount: number
  lastTakenAt: Date | null
  checkedAt: Date
}

export type WatchFolderState = Pick<WatchFolderRecord, 'isPresent' | 'waiting' | 'problems' | 'problemCount'> & {
  /** Unchanged if omitted. */
  lastTakenAt?: Date
}

/** The name under which the watched folder itself is stored. */
export const watchedFolderName = ''

const maxFolders = 5_000
const unbound = { recipientKind: null, recipientId: null, boundAt: null }
const notSeen = { isPresent: true, waiting: 0, problems: [], problemCount: 0, lastTakenAt: null }

/** Why something in a folder is not imported. */
interface WatchFolderProblem {
  /** Path of the file or folder, relative to the watched folder; empty for the folder of this document. */
  path: string
  /** A sentence for people, saying what they can do. */
  reason: string
}

/** A folder in the watched folder, or the watched folder itself under an empty name: docs/decisions/watch-folder.md. */
interface WatchFolderDocument {
  _id: Types.ObjectId
  name: string
  /** The recipient of its recordings; null until it is bound. Set once, and changed only by super admins. */
  recipientKind: 'user' | 'case' | null
  recipientId: Types.ObjectId | null
  boundAt: Date | null
  /** Whether it existed when the watched folder was last scanned. */
  isPresent: boolean
  /** Number of files not imported yet. */
  waiting: number
  problems: WatchFolderProblem[]
  /** Number of problems, including those beyond the number stored. */
  problemCount: number
  lastTakenAt: Date | null
  /** When the above state was determined. */
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

/** Returns the known folders by name; the watched folder itself comes first. */
export async function listWatchFolders(connection: DatabaseConnection): Promise<WatchFolderRecord[]> {
  const found = await watchFolderModel(connection)
    .find({})
    .sort({ name: 1 })
    .limit(maxFolders)
    .lean<WatchFolderDocument[]>()
  return found.map(toRecord)
}

export async function findWatchFolder(connection: DatabaseConnection, name: string): Promise<WatchFolderRecord | null> {
  const found = await watchFolderModel(connection).findOne({ name }).lean<WatchFolderDocument>()
  return found && toRecord(found)
}

/** Binds a folder to a recipient unless it is already bound, and returns the recipient it is then bound to. */
export async function bindWatchFolder(
  connection: DatabaseConnection,
  name: string,
  recipient: BoundRecipient,
): Promise<BoundRecipient> {
  const now = await readDatabaseTime(connection)
  try {
    await watchFolderModel(connection).updateOne(
      { name, recipientId: null },
      { $set: { ...toFields(recipient), boundAt: now }, $setOnInsert: { ...notSeen, checkedAt: now } },
      { upsert: true },
    )
  } catch (error) {
    // The folder is already bound, so the upsert failed to insert a second one.
    if (!isDuplicateKey(error)) throw error
  }
  const stored = await findWatchFolder(connection, name)
  return stored?.recipient ?? recipient
}

/** Binds a known folder to a different recipient, or to none. Returns false where the folder is unknown. */
export async function rebindWatchFolder(
  connection: DatabaseConnection,
  name: string,
  recipient: BoundRecipient | null,
): Promise<boolean> {
  const now = await readDatabaseTime(connection)
  const fields = recipient ? { ...toFields(recipient), boundAt: now } : unbound
  const { matchedCount } = await watchFolderModel(connection).updateOne({ name }, { $set: fields })
  return matchedCount === 1
}

/** Stores what was found in a folder. */
export async function saveWatchFolderState(
  connection: DatabaseConnection,
  name: string,
  state: WatchFolderState,
): Promise<void> {
  const checkedAt = await readDatabaseTime(connection)
  const onInsert = { ...unbound, ...(state.lastTakenAt === undefined && { lastTakenAt: null }) }
  await watchFolderModel(connection).updateOne(
    { name },
    { $set: { ...state, checkedAt }, $setOnInsert: onInsert },
    { upsert: true },
  )
}

/** Forgets a folder that is gone, unless it is bound: a folder that reappears under its name still belongs to its recipient. */
export async function forgetUnboundWatchFolder(connection: DatabaseConnection, name: string): Promise<void> {
  await watchFolderModel(connection).deleteOne({ name, recipientId: null })
}

function toFields({ kind, id }: BoundRecipient) {
  return { recipientKind: kind, recipientId: toObjectId(id) }
}

function toRecord({ _id, recipientKind, recipientId, ...fields }: WatchFolderDocument): WatchFolderRecord {
  const isBound = recipientKind !== null && recipientId !== null
  return { ...fields, recipient: isBound ? { kind: recipientKind, id: recipientId.toHexString() } : null }
}

/** The folders in the watched folder, of one database connection. */
export function watchFolderModel(connection: Connection): Model<WatchFolderDocument> {
  return modelOf<WatchFolderDocument>(connection, 'WatchFolder', schema, 'watch_folders')
}
