import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { maxNotesPerRecording, type FlaggedLine } from '#contract/notes.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { insertInSlot, addSlots, type SlottedDocument } from '../slots.ts'
import { modelOf } from '../model.ts'

/** A note of a recording; without text it is a bookmark, with a line it is a flag. */
export interface NoteRecord {
  id: string
  ownerId: string
  recordingId: string
  /** Milliseconds from the start. */
  timeMs: number
  text: string
  line?: FlaggedLine
  createdAt: Date
  updatedAt: Date
}

/** The recording that notes belong to. */
export interface NoteOwner {
  ownerId: string
  recordingId: string
}

/** A note at a time of a recording: see NoteRecord. */
interface NoteDocument extends SlottedDocument {
  ownerId: Types.ObjectId
  recordingId: Types.ObjectId
  timeMs: number
  text: string
  /** The line of a flag: see FlaggedLine; missing for notes and bookmarks. */
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

/** Returns the notes of an owner's recording in order of time. */
export async function listNotes(connection: DatabaseConnection, owner: NoteOwner): Promise<NoteRecord[]> {
  const { model, filter, limit } = notesRead(connection, owner)
  return toNotes(await model.find(filter).sort({ timeMs: 1, _id: 1 }).limit(limit).lean<NoteDocument[]>())
}

/** Returns the read for `listNotes`, for `readTogether`; `toNotes` sorts its result. */
export function notesRead(connection: DatabaseConnection, owner: NoteOwner) {
  const sort = { timeMs: 1, _id: 1 } as const
  return { model: noteModel(connection), filter: toFilter(owner), sort, limit: maxNotesPerRecording }
}

/** Returns stored notes as records in order of time. */
export function toNotes(stored: NoteDocument[]): NoteRecord[] {
  return stored.map(toRecord).toSorted((a, b) => a.timeMs - b.timeMs || (a.id < b.id ? -1 : 1))
}

/**
 * Stores a note. The caller checks afterwards that the recording still exists: see `markAnnotated`. Throws `conflict` where the
 * recording has the maximum number of notes.
 */
export async function insertNote(
  connection: DatabaseConnection,
  owner: NoteOwner,
  note: Pick<NoteRecord, 'timeMs' | 'text' | 'line'>,
): Promise<NoteRecord> {
  const now = await readDatabaseTime(connection)
  const model = noteModel(connection)
  const scope = toFilter(owner)
  const created = await insertInSlot({ model, scope, max: maxNotesPerRecording, fullError: tooManyNotes }, (slot) =>
    model.create({ ...scope, ...note, createdAt: now, updatedAt: now, slot }),
  )
  return toRecord(created.toObject())
}

/** Returns a note of a recording, or null. */
export async function findNote(
  connection: DatabaseConnection,
  owner: NoteOwner,
  id: string,
): Promise<NoteRecord | null> {
  const found = await noteModel(connection)
    .findOne({ ...toFilter(owner), _id: toObjectId(id) })
    .lean<NoteDocument>()
  return found && toRecord(found)
}

/** Changes the given fields; returns null where the recording has no such note. */
export async function updateNote(
  connection: DatabaseConnection,
  owner: NoteOwner,
  { id, ...changes }: { id: string; timeMs?: number | undefined; text?: string | undefined },
): Promise<NoteRecord | null> {
  const { timeMs, text } = changes
  const updatedAt = await readDatabaseTime(connection)
  const updated = await noteModel(connection)
    .findOneAndUpdate(
      { ...toFilter(owner), _id: toObjectId(id) },
      { $set: { updatedAt, ...(timeMs !== undefined && { timeMs }), ...(text !== undefined && { text }) } },
      { returnDocument: 'after' },
    )
    .lean<NoteDocument>()
  return updated && toRecord(updated)
}

/** Removes a note. Returns whether it existed. */
export async function removeNote(connection: DatabaseConnection, owner: NoteOwner, id: string): Promise<boolean> {
  const { deletedCount } = await noteModel(connection).deleteOne({ ...toFilter(owner), _id: toObjectId(id) })
  return deletedCount === 1
}

/** Deletes the notes of a recording, or of all recordings of an owner. */
export async function removeNotes(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId?: string },
): Promise<void> {
  const owned = { ownerId: toObjectId(ownerId) }
  await noteModel(connection).deleteMany(recordingId ? { ...owned, recordingId: toObjectId(recordingId) } : owned)
}

function toFilter({ ownerId, recordingId }: NoteOwner) {
  return { ownerId: toObjectId(ownerId), recordingId: toObjectId(recordingId) }
}

function tooManyNotes(): AppError {
  return new AppError('conflict', `A recording has at most ${maxNotesPerRecording.toLocaleString('en')} notes`, {
    help: 'Delete notes that you no longer need.',
  })
}

function toRecord({ _id, ownerId, recordingId, slot: _slot, ...fields }: NoteDocument): NoteRecord {
  return { ...fields, id: _id.toHexString(), ownerId: ownerId.toHexString(), recordingId: recordingId.toHexString() }
}

/** The notes of one database connection. */
export function noteModel(connection: Connection): Model<NoteDocument> {
  return modelOf<NoteDocument>(connection, 'Note', schema, 'notes')
}
