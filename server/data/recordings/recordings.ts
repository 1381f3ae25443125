import type { QueryFilter } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { createChangeNumber, nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { insertEntries, removeEntry, saveListedChanges, toEntry } from '../library/entries.ts'
import { inChunks } from '../library/in-chunks.ts'
import { literalPattern } from '../model.ts'
import { keptRecording } from './lifecycle.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'
import { toRecordingRecord, type RecordingRecord } from './recording-record.ts'
import { removeWaveform } from './waveforms.ts'

export type NewRecording = Omit<
  RecordingRecord,
  | 'createdAt'
  | 'change'
  | 'version'
  | 'deletedAt'
  | 'purgeAt'
  | 'contentRemovedAt'
  | 'tags'
  | 'speakerCorrections'
  | 'otherSpeakerCorrections'
  | 'speakerCorrectionsVersion'
  | 'restoredVersion'
  | 'restoreCount'
  | 'hold'
  | 'heldByCases'
>

/** Stores a recording's document, the last step of an upload: its file is already in place. */
export async function insertRecording(
  connection: DatabaseConnection,
  { id, ownerId, ...facts }: NewRecording,
): Promise<RecordingRecord> {
  const now = await readDatabaseTime(connection)
  const document = {
    ...facts,
    _id: toObjectId(id),
    ownerId: toObjectId(ownerId),
    createdAt: now,
    change: await nextChange(connection),
    version: 1,
    deletedAt: null,
  }
  await recordingModel(connection).create(document)
  const recording = toRecordingRecord(document)
  await insertEntries(connection, [toEntry(recording)])
  return recording
}

/** Removes the documents of an upload that failed at the end or whose owner's account was closed meanwhile; the caller removes the file. */
export async function withdrawRecording(connection: DatabaseConnection, ownerId: string, id: string): Promise<void> {
  await recordingModel(connection).deleteOne({ _id: toObjectId(id), ownerId: toObjectId(ownerId) })
  await removeEntry(connection, ownerId, id)
  await removeWaveform(connection, ownerId, id)
}

/** Returns a recording of this owner, or null. */
export async function findRecording(
  connection: DatabaseConnection,
  ownerId: string,
  id: string,
): Promise<RecordingRecord | null> {
  const found = await recordingModel(connection)
    .findOne({ _id: toObjectId(id), ownerId: toObjectId(ownerId), deletedAt: null })
    .lean<RecordingDocument>()
  return found && toRecordingRecord(found)
}

/** Returns the recordings that the owner has, by id. */
export async function findRecordings(
  connection: DatabaseConnection,
  ownerId: string,
  ids: string[],
): Promise<Map<string, RecordingRecord>> {
  const found = await recordingModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) }, ownerId: toObjectId(ownerId), deletedAt: null })
    .lean<RecordingDocument[]>()
  return new Map(found.map((document) => [document._id.toHexString(), toRecordingRecord(document)]))
}

/** Returns when an owner's recordings were uploaded, by their ids, whatever their lifecycle state; those that do not exist are missing. */
export async function listUploadTimes(
  connection: DatabaseConnection,
  ownerId: string,
  ids: string[],
): Promise<{ id: string; ownerId: string; createdAt: Date }[]> {
  const listed: { id: string; ownerId: string; createdAt: Date }[] = []
  await inChunks(ids, async (chunk) => {
    const found = await recordingModel(connection)
      .find({ _id: { $in: chunk.map(toObjectId) }, ownerId: toObjectId(ownerId) }, { createdAt: 1 })
      .batchSize(chunk.length)
      .lean<Pick<RecordingDocument, '_id' | 'createdAt'>[]>()
    listed.push(...found.map(({ _id, createdAt }) => ({ id: _id.toHexString(), ownerId, createdAt })))
  })
  return listed
}

/** Returns a recording of this owner. Throws `not_found` where there is none with that id. */
export async function requireRecording(
  connection: DatabaseConnection,
  ownerId: string,
  id: string,
): Promise<RecordingRecord> {
  const recording = await findRecording(connection, ownerId, id)
  if (!recording) throw recordingNotFound()
  return recording
}

export function recordingNotFound(): AppError {
  return new AppError('not_found', 'Recording not found')
}

/** Returns the ids of the owner's recordings in ascending order, starting after a given one, including the trash. */
export async function listRecordingIds(
  connection: DatabaseConnection,
  ownerId: string,
  { after }: { after: string | null },
): Promise<string[]> {
  const found = await recordingModel(connection)
    .find(
      { ownerId: toObjectId(ownerId), ...keptRecording, ...(after && { _id: { $gt: toObjectId(after) } }) },
      { _id: 1 },
    )
    .sort({ _id: 1 })
    .lean()
  return found.map(({ _id }) => _id.toHexString())
}

/** Returns a page of the owner's recordings, newest first, without speaker corrections; `search` is part of the name, case-insensitive. */
export async function listRecordings(
  connection: DatabaseConnection,
  ownerId: string,
  { search, page, perPage }: { search: string; page: number; perPage: number },
): Promise<{ recordings: RecordingRecord[]; total: number }> {
  const filter: QueryFilter<RecordingDocument> = { ownerId: toObjectId(ownerId), deletedAt: null }
  if (search) filter.name = literalPattern(search)
  const model = recordingModel(connection)
  const [recordings, total] = await Promise.all([
    model
      .find(filter, { speakerCorrections: 0, otherSpeakerCorrections: 0 })
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * perPage)
      .limit(perPage)
      .lean<RecordingDocument[]>(),
    model.countDocuments(filter),
  ])
  return { recordings: recordings.map(toRecordingRecord), total }
}

/** Renames a recording; returns null where the owner has none with that id. */
export async function renameRecording(
  connection: DatabaseConnection,
  ownerId: string,
  id: string,
  name: string,
): Promise<RecordingRecord | null> {
  const takeNumber = createChangeNumber(connection)
  const change = await takeNumber()
  const renamed = await recordingModel(connection)
    .findOneAndUpdate(
      { _id: toObjectId(id), ownerId: toObjectId(ownerId), deletedAt: null },
      [{ $set: { name: { $literal: name }, change, version: { $add: ['$version', 1] } } }],
      { returnDocument: 'after', updatePipeline: true },
    )
    .lean<RecordingDocument>()
  if (!renamed) return null
  const recording = toRecordingRecord(renamed)
  const versionBefore = recording.version - 1
  await saveListedChanges(connection, [{ recording, versionBefore }], await takeNumber())
  return recording
}

/** Returns number, bytes and milliseconds of all recordings of an owner, except removed ones. */
export async function sumRecordings(
  connection: DatabaseConnection,
  ownerId: string,
): Promise<{ count: number; sizeBytes: number; durationMs: number }> {
  const [sums] = await recordingModel(connection).aggregate<{ count: number; sizeBytes: number; durationMs: number }>([
    { $match: { ownerId: toObjectId(ownerId), deletedAt: null } },
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

/** Returns the bytes of an owner's removed recordings that can be restored. */
export async function sumRemovedBytes(connection: DatabaseConnection, ownerId: string): Promise<number> {
  const [sums] = await recordingModel(connection).aggregate<{ sizeBytes: number }>([
    { $match: { ownerId: toObjectId(ownerId), deletedAt: { $gt: new Date(0) }, purgeAt: { $gt: new Date(0) } } },
    { $group: { _id: null, sizeBytes: { $sum: '$sizeBytes' } } },
  ])
  return sums?.sizeBytes ?? 0
}
