import { Schema, type Connection, type Model, type Types } from 'mongoose'
import { noLineEdits, type LineEdits } from '#contract/line-edits.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { packJson, toBytes } from '../jobs/packed-json.ts'
import { isDuplicateKey, modelOf } from '../model.ts'
import { unpackEdits } from './packed-edits.ts'

/** The transcription that edits belong to. */
interface EditedTranscription {
  ownerId: string
  recordingId: string
  transcriptionId: string
}

/** What people edited in the lines of one transcription: see LineEdits. */
interface LineEditsDocument {
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

/** Returns what people edited in a transcription of this owner; `noLineEdits` where nothing was edited. */
export async function findLineEdits(
  connection: DatabaseConnection,
  ownerId: string,
  transcriptionId: string,
): Promise<LineEdits> {
  const found = await lineEditsModel(connection)
    .findOne({ transcriptionId: toObjectId(transcriptionId), ownerId: toObjectId(ownerId) })
    .lean()
  if (!found) return noLineEdits
  return { revision: found.revision, edits: await unpackEdits(toBytes(found.data)) }
}

/** Returns how often a transcription of this owner was edited, without reading the edits. */
export async function findEditsRevision(
  connection: DatabaseConnection,
  ownerId: string,
  transcriptionId: string,
): Promise<number> {
  const found = await lineEditsModel(connection)
    .findOne({ transcriptionId: toObjectId(transcriptionId), ownerId: toObjectId(ownerId) }, { revision: 1 })
    .lean()
  return (found ?? noLineEdits).revision
}

/**
 * Replaces the edits of a transcription if the stored revision is the previous one. Returns false where they were changed in the
 * meantime. The caller checks afterwards that the recording still exists: see `markChanged`.
 */
export async function saveLineEdits(
  connection: DatabaseConnection,
  { ownerId, recordingId, transcriptionId }: EditedTranscription,
  { revision, edits }: LineEdits,
): Promise<boolean> {
  const key = { transcriptionId: toObjectId(transcriptionId), ownerId: toObjectId(ownerId) }
  const data = await packJson(edits)
  const model = lineEditsModel(connection)
  if (revision > 1) {
    const { matchedCount } = await model.updateOne({ ...key, revision: revision - 1 }, { $set: { revision, data } })
    return matchedCount === 1
  }
  try {
    await model.create({ ...key, recordingId: toObjectId(recordingId), revision, data })
    return true
  } catch (error) {
    if (isDuplicateKey(error)) return false
    throw error
  }
}

/** Returns how many of the engine's lines people changed in each transcription of a recording, by transcription id. */
export async function countEditedLines(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
): Promise<Map<string, number>> {
  const found = await lineEditsModel(connection)
    .find({ ownerId: toObjectId(ownerId), recordingId: toObjectId(recordingId) })
    .limit(10_000)
    .lean()
  const counts = found.map(async ({ transcriptionId, data }) => {
    const changed = (await unpackEdits(toBytes(data))).filter(({ lines }) => lines !== null)
    return [transcriptionId.toHexString(), changed.flatMap(({ from }) => from).length] as const
  })
  return new Map(await Promise.all(counts))
}

/** Deletes the edits of a recording, or of all recordings of an owner. */
export async function removeLineEdits(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId?: string },
): Promise<void> {
  const owned = { ownerId: toObjectId(ownerId) }
  await lineEditsModel(connection).deleteMany(recordingId ? { ...owned, recordingId: toObjectId(recordingId) } : owned)
}

/** The line edits of one database connection. */
export function lineEditsModel(connection: Connection): Model<LineEditsDocument> {
  return modelOf<LineEditsDocument>(connection, 'LineEdits', schema, 'line_edits')
}
