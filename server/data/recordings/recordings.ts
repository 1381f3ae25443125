import type { Types, Connection, QueryFilter } from 'mongoose'
import { nextChange } from '../change-counter.ts'
import { literalPattern } from '../model.ts'
import { readDatabaseTime } from '../database-time.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'

export type NewRecording = Omit<RecordingDocument, 'createdAt' | 'change' | 'version' | 'deletedAt'>

/** Stores a recording's document, the last step of an upload: its file lies in place already. */
export async function insertRecording(connection: Connection, recording: NewRecording): Promise<RecordingDocument> {
  const now = await readDatabaseTime(connection)
  const document = { ...recording, createdAt: now, change: await nextChange(connection), version: 1, deletedAt: null }
  await recordingModel(connection).create(document)
  return document
}

/** A recording of this owner, or null. */
export async function findRecording(
  connection: Connection,
  ownerId: Types.ObjectId,
  id: Types.ObjectId,
): Promise<RecordingDocument | null> {
  return recordingModel(connection).findOne({ _id: id, ownerId, deletedAt: null }).lean<RecordingDocument>()
}

/** A page of the owner's recordings, newest first, without corrections of speakers; `search` is part of the name, in any case. */
export async function listRecordings(
  connection: Connection,
  ownerId: Types.ObjectId,
  { search, page, perPage }: { search: string; page: number; perPage: number },
): Promise<{ recordings: RecordingDocument[]; total: number }> {
  const filter: QueryFilter<RecordingDocument> = { ownerId, deletedAt: null }
  if (search) filter.name = literalPattern(search)
  const model = recordingModel(connection)
  const [recordings, total] = await Promise.all([
    model
      .find(filter, { speakerCorrections: 0 })
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * perPage)
      .limit(perPage)
      .lean<RecordingDocument[]>(),
    model.countDocuments(filter),
  ])
  return { recordings, total }
}

/** Gives a recording another name; null where the owner has none of that id. */
export async function renameRecording(
  connection: Connection,
  ownerId: Types.ObjectId,
  id: Types.ObjectId,
  name: string,
): Promise<RecordingDocument | null> {
  const change = await nextChange(connection)
  return recordingModel(connection)
    .findOneAndUpdate(
      { _id: id, ownerId, deletedAt: null },
      [{ $set: { name: { $literal: name }, change, version: { $add: ['$version', 1] } } }],
      { returnDocument: 'after', updatePipeline: true },
    )
    .lean<RecordingDocument>()
}

/** Number, bytes and milliseconds of all recordings of an owner. */
export async function sumRecordings(
  connection: Connection,
  ownerId: Types.ObjectId,
): Promise<{ count: number; sizeBytes: number; durationMs: number }> {
  const [sums] = await recordingModel(connection).aggregate<{ count: number; sizeBytes: number; durationMs: number }>([
    { $match: { ownerId, deletedAt: null } },
    {
      $group: {
        _id: null,
        count: { $sum: 1 },
        sizeBytes: { $sum: '$sizeBytes' },
        durationMs: { $sum: '$durationMs' },
      },
    },
  ])
  return sums ?? { count: 0, sizeBytes: 0, durationMs: 0 }
}
