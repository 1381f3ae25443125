import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'
import { toRecordingRecord, type RecordingRecord } from './recording-record.ts'

/**
 * The lifecycle state of a recording. A recording in the trash is hidden from everyone and may be restored; only `gone` is final, so
 * nothing else may be taken for a deletion.
 */
export type Lifecycle = 'live' | 'trash' | 'gone'

/** Matches recordings that are live or in the trash. */
export const keptRecording = { $or: [{ deletedAt: null }, { purgeAt: { $gt: new Date(0) } }] }

export type RecordingWithLifecycle =
  { lifecycle: 'live' | 'trash'; recording: RecordingRecord } | { lifecycle: 'gone'; recording: null }

/** Returns the lifecycle state of a stored recording. */
export function lifecycleOf(stored: Pick<RecordingDocument, 'deletedAt' | 'purgeAt'> | null): Lifecycle {
  if (!stored) return 'gone'
  if (stored.deletedAt === null) return 'live'
  return stored.purgeAt && stored.purgeAt.getTime() > 0 ? 'trash' : 'gone'
}

/**
 * Reads a recording and its lifecycle state in one query: with two, a restoration in between would make the second contradict the first.
 * Another owner's recording counts as gone.
 */
export async function findWithLifecycle(
  connection: DatabaseConnection,
  ownerId: string,
  id: string,
): Promise<RecordingWithLifecycle> {
  const found = await recordingModel(connection)
    .findOne({ _id: toObjectId(id), ownerId: toObjectId(ownerId) })
    .lean<RecordingDocument>()
  const lifecycle = lifecycleOf(found)
  if (!found || lifecycle === 'gone') return { lifecycle: 'gone', recording: null }
  return { lifecycle, recording: toRecordingRecord(found) }
}

/** Returns the lifecycle state of a recording; another owner's recording counts as gone. */
export async function readLifecycle(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
): Promise<Lifecycle> {
  const found = await recordingModel(connection)
    .findOne({ _id: toObjectId(recordingId), ownerId: toObjectId(ownerId) }, { deletedAt: 1, purgeAt: 1 })
    .lean<Pick<RecordingDocument, 'deletedAt' | 'purgeAt'>>()
  return lifecycleOf(found)
}

/** Returns a recording's lifecycle state and version, null where it is gone; another owner's recording counts as gone. */
export async function readState(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
): Promise<{ lifecycle: Lifecycle; version: number | null }> {
  const found = await recordingModel(connection)
    .findOne({ _id: toObjectId(recordingId), ownerId: toObjectId(ownerId) }, { version: 1, deletedAt: 1, purgeAt: 1 })
    .lean<Pick<RecordingDocument, 'version' | 'deletedAt' | 'purgeAt'>>()
  return { lifecycle: lifecycleOf(found), version: found?.version ?? null }
}

/** Returns owners and lifecycle states of recordings, by their ids; permanently deleted recordings are missing. */
export async function readKeptLifecycles(
  connection: DatabaseConnection,
  ids: string[],
): Promise<Map<string, { ownerId: string; lifecycle: Lifecycle }>> {
  if (ids.length === 0) return new Map()
  const found = await recordingModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) } }, { ownerId: 1, deletedAt: 1, purgeAt: 1 })
    .batchSize(ids.length)
    .lean<Pick<RecordingDocument, '_id' | 'ownerId' | 'deletedAt' | 'purgeAt'>[]>()
  const kept = found.filter((document) => lifecycleOf(document) !== 'gone')
  return new Map(
    kept.map((document) => [
      document._id.toHexString(),
      { ownerId: document.ownerId.toHexString(), lifecycle: lifecycleOf(document) },
    ]),
  )
}

/** Returns the recordings that are permanently deleted or belong to another owner. */
export async function listGone<Owned extends { id: string; ownerId: string }>(
  connection: DatabaseConnection,
  recordings: Owned[],
): Promise<Owned[]> {
  const ids = recordings.map(({ id }) => id)
  const kept = await readKeptLifecycles(connection, ids)
  return recordings.filter(({ id, ownerId }) => kept.get(id)?.ownerId !== ownerId)
}

/** A projection that excludes the large fields of a recording. */
export const withoutTexts = { peaks: 0, speakerCorrections: 0, otherSpeakerCorrections: 0 } as const

/** Returns which of the recordings, whatever their owner, are live or in the trash, by their ids. */
export async function findKeptRecordings(
  connection: DatabaseConnection,
  ids: string[],
): Promise<Map<string, RecordingRecord>> {
  if (ids.length === 0) return new Map()
  const found = await recordingModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) } }, withoutTexts)
    .batchSize(ids.length)
    .lean<RecordingDocument[]>()
  const kept = found.filter((document) => lifecycleOf(document) !== 'gone')
  return new Map(kept.map((document) => [document._id.toHexString(), toRecordingRecord(document)]))
}
