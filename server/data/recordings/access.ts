import { AppError } from '#contract/app-error.ts'
import type { RecordingAccess } from '#contract/entities/recording.ts'
import { findGrant } from '../cases/recording-grants.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { readJobs } from '../jobs/changes.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import type { Queue } from '../jobs/queue.ts'
import { findJob } from '../jobs/results.ts'
import { readTogether, type CollectionRead } from '../read-together.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'
import { toRecordingRecord, type RecordingRecord } from './recording-record.ts'
import { findRecording, recordingNotFound } from './recordings.ts'

/** A recording with its real owner, and what the requesting user may do. */
export type AccessibleRecording = RecordingRecord & { access: RecordingAccess }

/**
 * Returns a recording that the user owns or can read as a case member. Throws `not_found` for anyone else. For an owner, it costs no
 * more than `requireRecording`.
 */
export async function requireReadable(
  connection: DatabaseConnection,
  userId: string,
  recordingId: string,
): Promise<AccessibleRecording> {
  const own = await findRecording(connection, userId, recordingId)
  return own ? { ...own, access: 'owner' } : requireShared(connection, userId, recordingId)
}

/**
 * Returns a recording like `requireReadable`, together with a stored part of it: for its owner, in one command.
 *
 * @param partOf returns the read for the part in a recording of this owner
 */
export async function requireReadableWith<Part extends object>(
  connection: DatabaseConnection,
  { userId, recordingId }: { userId: string; recordingId: string },
  partOf: (recording: { ownerId: string; recordingId: string }) => CollectionRead<Part>,
): Promise<{ recording: AccessibleRecording; parts: Part[] }> {
  const own = { _id: toObjectId(recordingId), ownerId: toObjectId(userId), deletedAt: null }
  const { recordings, parts } = await readTogether<{ recordings: RecordingDocument; parts: Part }>({
    recordings: { model: recordingModel(connection), filter: own },
    parts: partOf({ ownerId: userId, recordingId }),
  })
  const [document] = recordings
  if (document) return { recording: { ...toRecordingRecord(document), access: 'owner' }, parts }
  const recording = await requireShared(connection, userId, recordingId)
  const shared = await readTogether<{ parts: Part }>({ parts: partOf({ ownerId: recording.ownerId, recordingId }) })
  return { recording, parts: shared.parts }
}

/** Returns a recording that the user can read as a case member. Throws `not_found` for anyone else. */
async function requireShared(
  connection: DatabaseConnection,
  userId: string,
  recordingId: string,
): Promise<AccessibleRecording> {
  const grant = await findGrant(connection, userId, recordingId)
  const shared = grant && (await findRecording(connection, grant.ownerId, recordingId))
  if (!shared) throw recordingNotFound()
  return { ...shared, access: grant.role }
}

/** Returns a recording that the user may correct. Throws `not_found` like `requireReadable`, `forbidden` for users who may only read it. */
export async function requireEditable(
  connection: DatabaseConnection,
  userId: string,
  recordingId: string,
): Promise<AccessibleRecording> {
  const recording = await requireReadable(connection, userId, recordingId)
  if (recording.access !== 'view') return recording
  throw new AppError('forbidden', 'You may read this recording, but not change it', {
    help: 'Ask the owner of the case for the right to edit.',
  })
}

/**
 * Returns a job of the user, or of a recording that the user can read as a case member; null for anyone else, after the same queries
 * whether such a job exists or not.
 */
export async function findReadableJob(queue: Queue, userId: string, jobId: string): Promise<JobRecord | null> {
  const own = await findJob(queue, userId, jobId)
  if (own) return own
  const [job = null] = await readJobs(queue, [jobId])
  const recordingId = job?.recordingId ?? jobId
  const grant = await findGrant(queue.connection, userId, recordingId)
  // A removed recording can be restored for a while, with its jobs.
  const shared = grant && (await findRecording(queue.connection, grant.ownerId, recordingId))
  return job && shared?.ownerId === job.ownerId ? job : null
}

/** Returns recordings by their ids and owners, without an access check, which is left to the caller. Deleted ones are missing. */
export async function findRecordingsOfOwners(
  connection: DatabaseConnection,
  wanted: { recordingId: string; ownerId: string }[],
): Promise<Map<string, RecordingRecord>> {
  const found = await recordingModel(connection)
    .find(
      { _id: { $in: wanted.map(({ recordingId }) => toObjectId(recordingId)) }, deletedAt: null },
      { speakerCorrections: 0, otherSpeakerCorrections: 0 },
    )
    .lean<RecordingDocument[]>()
  const owners = new Map(wanted.map(({ recordingId, ownerId }) => [recordingId, ownerId]))
  const records = found.map(toRecordingRecord).filter(({ id, ownerId }) => owners.get(id) === ownerId)
  return new Map(records.map((record) => [record.id, record]))
}

/** Returns the lengths of recordings in milliseconds by their ids, without an access check: see findRecordingsOfOwners. */
export async function findDurations(
  connection: DatabaseConnection,
  wanted: { recordingId: string; ownerId: string }[],
): Promise<Map<string, number>> {
  const found = await recordingModel(connection)
    .find(
      { _id: { $in: wanted.map(({ recordingId }) => toObjectId(recordingId)) }, deletedAt: null },
      { ownerId: 1, durationMs: 1 },
    )
    .batchSize(wanted.length + 1)
    .lean<Pick<RecordingDocument, '_id' | 'ownerId' | 'durationMs'>[]>()
  const owners = new Map(wanted.map(({ recordingId, ownerId }) => [recordingId, ownerId]))
  const own = found.filter(({ _id, ownerId }) => owners.get(_id.toHexString()) === ownerId.toHexString())
  return new Map(own.map(({ _id, durationMs }) => [_id.toHexString(), durationMs]))
}
