import type { PipelineStage } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { AudioStore } from '../audio-store/audio-store.ts'
import { caseModel } from '../cases/case-model.ts'
import { removeRecordingFromCases } from '../cases/case-recordings.ts'
import { removeOwnCases, removeUserFromCases } from '../cases/members.ts'
import { removeAlerts } from '../alerts/raised-alerts.ts'
import { insertMissingEvents, insertRecordingEvents, type NewRecordingEvent } from '../audit/recording-events.ts'
import { removeBatches } from '../batches/batches.ts'
import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { heldRecording, notHeld } from '../holds/held.ts'
import { removeKeptStates } from '../holds/kept-states.ts'
import { toObjectId } from '../ids.ts'
import { removeJobs } from '../jobs/cancel.ts'
import type { Queue } from '../jobs/queue.ts'
import { sourceModel } from '../jobs/source-model.ts'
import { removeEntry, removeLibrary } from '../library/entries.ts'
import { inChunks } from '../library/in-chunks.ts'
import { removeHeard, removeHeardBy } from '../heard/heard.ts'
import { removeLineEdits } from '../line-edits/line-edits.ts'
import { removeLineMarks } from '../line-marks/line-marks.ts'
import { removeNotes } from '../notes/notes.ts'
import { removeReviewedHits } from '../reviewed-hits/reviewed-hits.ts'
import { removeSearchEntries, removeSearchIndex } from '../search/write-entry.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'
import { removeUploadsOf } from '../uploads/remove-uploads.ts'
import { removeWaveform, removeWaveforms } from './waveforms.ts'

/** Maximum number of recordings deleted in one run: the next run takes the rest. */
export const maxDeletionsPerRun = 1_000

export interface Stores {
  queue: Queue
  audioStore: AudioStore
}

/** Who deletes recordings, and why, for the audit trail. */
export type Deletion = Omit<NewRecordingEvent, 'action'>

export const deleteAction = 'recording.delete'

/**
 * Deletes a recording with its file, its jobs and their results; running work loses its lease and stops. The document is marked
 * first: from then on the recording is hidden, and `finishDeletions` finishes an interrupted deletion. The audit entry comes second, so
 * that it records only what happens, and before the content is deleted: if it cannot be written, `finishDeletions` writes it.
 * Returns `held` where the recording is on hold and stays unchanged, `missing` where the owner has none with that id.
 */
export async function removeRecording(
  stores: Stores,
  ownerId: string,
  id: string,
  deletion: Deletion = {},
): Promise<'removed' | 'held' | 'missing'> {
  const model = recordingModel(stores.queue.connection)
  const own = { _id: toObjectId(id), ownerId: toObjectId(ownerId), deletedAt: null }
  const marked = await model
    .findOneAndUpdate({ ...own, ...notHeld }, await deletionUpdate(stores.queue), { updatePipeline: true })
    .lean()
  if (!marked) return (await model.exists(own)) ? 'held' : 'missing'
  await recordDeletions(stores.queue, [marked], deletion)
  await removeContent(stores, { id, ownerId, extension: marked.extension })
  return 'removed'
}

/** Throws `on_hold` where a case or recording of a user is on hold: then the account cannot be deleted. */
export async function assertNothingHeld(connection: DatabaseConnection, owner: string): Promise<void> {
  const ownerId = toObjectId(owner)
  const [recordings, cases] = await Promise.all([
    recordingModel(connection).countDocuments({ ownerId, deletedAt: null, ...heldRecording }),
    caseModel(connection).countDocuments({ ownerId, hold: { $ne: null } }),
  ])
  if (recordings + cases > 0) throw accountHeldError({ recordings, cases })
}

/**
 * Deletes all cases, recordings, texts and jobs of an owner with their results, as part of deleting a user. Throws `on_hold` where one was
 * put on hold in the meantime: it stays with everything made from it, but what was deleted before is gone.
 */
export async function removeUserWork(stores: Stores, owner: string): Promise<void> {
  const ownerId = toObjectId(owner)
  const { connection } = stores.queue
  const model = recordingModel(connection)
  await assertNothingHeld(connection, owner)
  while (!(await removeOwnCases(connection, owner))) await assertNothingHeld(connection, owner)
  // Once no recording is left, none can be put on hold any more: everything of the owner can then be deleted at once.
  do {
    await assertNothingHeld(connection, owner)
    await model.updateMany({ ownerId, ...notHeld }, await deletionUpdate(stores.queue), { updatePipeline: true })
  } while (await model.exists({ ownerId, deletedAt: null }))
  const recordings = await model.find({ ownerId }, removedRecordingFields).lean()
  const event = { action: deleteAction, details: 'account', doneAt: deletionTime }
  // Recordings deleted in the last day have an entry, and after an interruption so do some of the others.
  await insertMissingEvents(connection, recordings.map(toAuditedRecording), event)
  for (const { _id, extension } of recordings) await stores.audioStore.remove({ id: _id.toHexString(), extension })
  await removeUploadsOf({ connection: stores.queue.connection, audioStore: stores.audioStore }, owner)
  await removeBatches(stores.queue.connection, owner)
  await removeJobs(stores.queue, { ownerId: owner })
  await sourceModel(stores.queue.connection).deleteMany({ ownerId })
  await removeWaveforms(stores.queue.connection, owner)
  await removeLineEdits(stores.queue.connection, { ownerId: owner })
  await removeNotes(stores.queue.connection, { ownerId: owner })
  await removeReviewedHits(stores.queue.connection, { ownerId: owner })
  await removeLineMarks(stores.queue.connection, { ownerId: owner })
  await removeHeard(stores.queue.connection, { ownerId: owner })
  await removeKeptStates(stores.queue.connection, { ownerId: owner })
  await removeHeardBy(stores.queue.connection, owner)
  await removeSearchIndex(stores.queue.connection, owner)
  await removeUserFromCases(stores.queue.connection, owner)
  await removeLibrary(stores.queue.connection, owner)
  await removeAlerts(stores.queue.connection, { ownerId: owner })
  // There is no one left to notify, so no emptied documents stay.
  await model.deleteMany({ ownerId, deletedAt: { $gt: new Date(0) } })
}

async function dueForPurge(connection: DatabaseConnection) {
  return { purgeAt: { $lte: await readDatabaseTime(connection) } }
}

/** Returns whether `purgeRemoved` has something to delete. */
export async function hasDueRemovals(connection: DatabaseConnection): Promise<boolean> {
  return (await recordingModel(connection).exists(await dueForPurge(connection))) !== null
}

/** Deletes recordings that were removed and can no longer be restored. */
export async function purgeRemoved(stores: Stores): Promise<void> {
  const { connection } = stores.queue
  const due = await dueForPurge(connection)
  const removed = await recordingModel(connection).find(due, removedRecordingFields).limit(maxDeletionsPerRun).lean()
  for (const recording of removed) await purgeOne(stores, recording, { details: 'trash' })
}

/** Deletes removed recordings of an owner early, oldest first, until this many bytes are free. */
export async function purgeRemovedOf(stores: Stores, ownerId: string, bytes: number): Promise<void> {
  const removed = await recordingModel(stores.queue.connection)
    .find(
      { ownerId: toObjectId(ownerId), deletedAt: { $gt: new Date(0) }, purgeAt: { $gt: new Date(0) } },
      removedRecordingFields,
    )
    .sort({ deletedAt: 1 })
    .limit(maxDeletionsPerRun)
    .lean()
  let left = bytes
  for (const recording of removed) {
    if (left <= 0) return
    left -= (await purgeOne(stores, recording, { details: 'quota' })) ?? 0
  }
}

/** Deletes a recording from the trash. Returns false where it is not there: it was restored, or is gone. */
export async function purgeRecording(stores: Stores, id: string, deletion: Deletion): Promise<boolean> {
  const found = await recordingModel(stores.queue.connection)
    .findOne({ _id: toObjectId(id), ...inTrash }, removedRecordingFields)
    .lean()
  return found !== null && (await purgeOne(stores, found, deletion)) !== null
}

/**
 * Permanently deletes recordings from an owner's trash: those in `ids`, or all that were in it at a given time. `finishDeletions` removes
 * what was stored for them. Returns their ids.
 */
export async function emptyTrash(
  queue: Queue,
  ownerId: string,
  chosen: { ids: string[] } | { removedBy: Date },
  deletion: Deletion = {},
): Promise<string[]> {
  const model = recordingModel(queue.connection)
  const own = { ownerId: toObjectId(ownerId), ...inTrash, ...notHeld }
  const found =
    'ids' in chosen
      ? await model.find({ ...own, _id: { $in: chosen.ids.map(toObjectId) } }, { _id: 1 }).lean()
      : await model.find({ ...own, deletedAt: { $gt: new Date(0), $lte: chosen.removedBy } }, { _id: 1 }).lean()
  const deleted: string[] = []
  await inChunks(found, async (chunk) => {
    const ids = chunk.map(({ _id }) => _id)
    await model.updateMany({ ...own, _id: { $in: ids } }, await deletionUpdate(queue), { updatePipeline: true })
    const gone = await model
      .find({ _id: { $in: ids }, deletedAt: { $ne: null }, purgeAt: null }, removedRecordingFields)
      .lean()
    await recordDeletions(queue, gone, deletion)
    deleted.push(...gone.map(({ _id }) => _id.toHexString()))
  })
  return deleted
}

/** Matches removed recordings that can be restored. */
const inTrash = { purgeAt: { $gt: new Date(0) } }
export const removedRecordingFields = { ownerId: 1, extension: 1, sizeBytes: 1, createdAt: 1, deletedAt: 1 } as const
type RemovedRecording = Pick<RecordingDocument, '_id' | keyof typeof removedRecordingFields>

/** Deletes a removed recording. Returns the bytes that were freed, or null where it was restored in the meantime. */
async function purgeOne(stores: Stores, recording: RemovedRecording, deletion: Deletion): Promise<number | null> {
  const { _id, ownerId, extension, sizeBytes } = recording
  const update = await deletionUpdate(stores.queue)
  const { matchedCount } = await recordingModel(stores.queue.connection).updateOne(
    { _id, ...inTrash, ...notHeld },
    update,
    { updatePipeline: true },
  )
  if (matchedCount === 0) return null
  await recordDeletions(stores.queue, [recording], deletion)
  await removeContent(stores, { id: _id.toHexString(), ownerId: ownerId.toHexString(), extension })
  return sizeBytes
}

async function recordDeletions({ connection }: Queue, deleted: DeletedRecording[], deletion: Deletion): Promise<void> {
  await insertRecordingEvents(connection, deleted.map(toAuditedRecording), { action: deleteAction, ...deletion })
}

type DeletedRecording = Pick<RecordingDocument, '_id' | 'ownerId' | 'createdAt' | 'deletedAt'>

export function toAuditedRecording({ _id, ownerId, createdAt, deletedAt }: DeletedRecording) {
  return { id: _id.toHexString(), ownerId: ownerId.toHexString(), createdAt, deletedAt }
}

export function deletionTime({ deletedAt }: Pick<RecordingDocument, 'deletedAt'>): Date {
  return deletedAt ?? new Date(0)
}

/** Returns the update that permanently hides a recording from everyone. */
async function deletionUpdate({ connection }: Queue): Promise<(PipelineStage.Set | PipelineStage.Unset)[]> {
  const change = await nextChange(connection)
  return [
    {
      $set: {
        deletedAt: '$$NOW',
        change,
        version: { $add: ['$version', 1] },
        name: '',
        peaks: [],
        speakerCorrections: null,
        otherSpeakerCorrections: [],
        restoredVersion: null,
        tags: [],
      },
    },
    { $unset: 'purgeAt' },
  ]
}

export async function removeContent(
  { queue, audioStore }: Stores,
  { id, ownerId, extension }: { id: string; ownerId: string; extension: string },
) {
  const { connection } = queue
  await removeEntry(connection, ownerId, id)
  await audioStore.remove({ id, extension })
  await removeJobs(queue, { ownerId, recordingId: id })
  await sourceModel(queue.connection).deleteMany({ ownerId: toObjectId(ownerId), recordingId: toObjectId(id) })
  await removeWaveform(queue.connection, ownerId, id)
  await removeLineEdits(queue.connection, { ownerId, recordingId: id })
  await removeNotes(queue.connection, { ownerId, recordingId: id })
  await removeReviewedHits(queue.connection, { ownerId, recordingId: id })
  await removeLineMarks(queue.connection, { ownerId, recordingId: id })
  await removeHeard(queue.connection, { ownerId, recordingId: id })
  await removeKeptStates(queue.connection, { ownerId, subjectId: id })
  await removeSearchEntries(queue.connection, ownerId, [id])
  await removeAlerts(queue.connection, { ownerId, recordingId: id })
  await removeRecordingFromCases(queue.connection, id)
  await recordingModel(connection).updateOne(
    { _id: toObjectId(id), deletedAt: { $gt: new Date(0) } },
    { $set: { contentRemovedAt: await readDatabaseTime(connection) } },
  )
}

function accountHeldError({ recordings, cases }: { recordings: number; cases: number }): AppError {
  const counted = [
    ...(cases > 0 ? [`${cases} ${cases === 1 ? 'case' : 'cases'}`] : []),
    ...(recordings > 0 ? [`${recordings} ${recordings === 1 ? 'recording' : 'recordings'}`] : []),
  ].join(' and ')
  return new AppError('on_hold', `This account cannot be deleted: it has ${counted} on legal hold`, {
    help: 'Deactivate the account, or lift the holds first: Admin Panel, Retention lists them.',
  })
}
