import { z } from 'zod'
import { Schema, type Connection, type Model, type Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import type { CollectionRead } from '../read-together.ts'
import { packJson, toBytes, unpackJson } from '../jobs/packed-json.ts'
import { isDuplicateKey, modelOf } from '../model.ts'
import { StoredMark } from './stored-mark.ts'

interface Owner {
  ownerId: string
  recordingId: string
}

/** How much of a recording is verified. */
export type VerifiedShares = Pick<LineMarksDocument, 'verified' | 'verifiedTwice'>

/** Shares with the text they were counted on: see reviewedText. */
export type CountedMarks = VerifiedShares & Pick<LineMarksDocument, 'countedText'>

/** The marks of a recording; revision 0 where it never had any. */
export type LineMarksRecord = CountedMarks & { revision: number; marks: StoredMark[] }

const noMarks: LineMarksRecord = { revision: 0, marks: [], verified: 0, verifiedTwice: 0, countedText: '' }

/** What people stated about the lines of one recording: see StoredMark. */
export interface LineMarksDocument {
  /** The recording's id. */
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  revision: number
  /** Packed JSON of the marks. */
  data: Uint8Array
  /** The shares of lines verified by anyone and by at least two people, 0 to 1. */
  verified: number
  verifiedTwice: number
  /** The text that the shares were counted on: see reviewedText. */
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

/** Returns what people said of the lines of an owner's recording. */
export async function findLineMarks(connection: DatabaseConnection, owner: Owner): Promise<LineMarksRecord> {
  return toLineMarks(await lineMarksModel(connection).findOne(toFilter(owner)).lean<LineMarksDocument>())
}

/** Returns the read for what people stated about the lines of an owner's recording. */
export function lineMarksRead(connection: DatabaseConnection, owner: Owner): CollectionRead<LineMarksDocument> {
  return { model: lineMarksModel(connection), filter: toFilter(owner) }
}

export async function toLineMarks(found: LineMarksDocument | null | undefined): Promise<LineMarksRecord> {
  if (!found) return noMarks
  const { revision, verified, verifiedTwice, countedText } = found
  const marks = z.array(StoredMark).parse(await unpackJson(toBytes(found.data)))
  return { revision, marks, verified, verifiedTwice, countedText }
}

/**
 * Replaces the marks of a recording if the stored revision is the previous one. Returns false where they were changed in the meantime.
 * The caller checks afterwards that the recording still exists: see `markAnnotated`.
 */
export async function saveLineMarks(
  connection: DatabaseConnection,
  owner: Owner,
  { marks, ...fields }: LineMarksRecord,
): Promise<boolean> {
  const model = lineMarksModel(connection)
  const data = await packJson(marks)
  const { revision } = fields
  if (revision > 1) {
    const { matchedCount } = await model.updateOne(
      { ...toFilter(owner), revision: revision - 1 },
      { $set: { ...fields, data } },
    )
    return matchedCount === 1
  }
  try {
    await model.create({ ...toFilter(owner), ...fields, data })
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/** Stores recounted shares, unless marks were changed since. */
export async function saveVerifiedShares(
  connection: DatabaseConnection,
  owner: Owner,
  { revision, ...counted }: CountedMarks & { revision: number },
): Promise<void> {
  await lineMarksModel(connection).updateOne({ ...toFilter(owner), revision }, { $set: counted })
}

/** Returns the read for the verified shares of recordings, for `readTogether`. The caller checks who may see them. */
export function verifiedShares(
  connection: DatabaseConnection,
  recordingIds: string[],
): CollectionRead<LineMarksDocument> {
  return {
    model: lineMarksModel(connection),
    filter: { _id: { $in: recordingIds.map(toObjectId) } },
    projection: { verified: 1, verifiedTwice: 1 },
  }
}

/** Deletes the marks of a recording, or of all recordings of an owner. */
export async function removeLineMarks(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId?: string },
): Promise<void> {
  const owned = { ownerId: toObjectId(ownerId) }
  await lineMarksModel(connection).deleteMany(recordingId ? { ...owned, _id: toObjectId(recordingId) } : owned)
}

function toFilter({ ownerId, recordingId }: Owner) {
  return { _id: toObjectId(recordingId), ownerId: toObjectId(ownerId) }
}

/** The line marks of one database connection. */
export function lineMarksModel(connection: Connection): Model<LineMarksDocument> {
  return modelOf<LineMarksDocument>(connection, 'LineMarks', schema, 'line_marks')
}
