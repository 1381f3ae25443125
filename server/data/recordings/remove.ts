import type { PipelineStage } from 'mongoose'
import type { AudioStore } from '../audio-store/audio-store.ts'
import { removeRecordingFromCases } from '../cases/case-recordings.ts'
import { removeUserFromCases } from '../cases/members.ts'
import { removeAlerts } from '../alerts/raised-alerts.ts'
import { removeBatches } from '../batches/batches.ts'
import { nextChange } from '../change-counter.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { removeJobs } from '../jobs/cancel.ts'
import type { Queue } from '../jobs/queue.ts'
import { sourceModel } from '../jobs/source-model.ts'
import { removeEntry, removeLibrary } from '../library/entries.ts'
import { removeHeard, removeHeardBy } from '../heard/heard.ts'
import { removeLineEdits } from '../line-edits/line-edits.ts'
import { removeLineMarks } from '../line-marks/line-marks.ts'
import { removeNotes } from '../notes/notes.ts'
import { removeReviewedHits } from '../reviewed-hits/reviewed-hits.ts'
import { removeSearchEntries, removeSearchIndex } from '../search/write-entry.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'
import { removeUploadsOf } from '../uploads/remove-uploads.ts'
import { removeWaveform, removeWaveforms } from './waveforms.ts'

/** Recordings that are deleted in one run: the next run takes the rest. */
const maxPerRun = 1_000

interface Stores {
  queue: Queue
  audioStore: AudioStore
}

/**
 * Deletes a recording with its file, its jobs and their results; running work loses its lease and stops. The document is marked
 * first: from then on nobody sees the recording, and an interrupted deletion is finished by `finishDeletions`.
 * Returns false where the owner has none of that id.
 */
export async function removeRecording(stores: Stores, ownerId: string, id: string): Promise<boolean> {
  const marked = await recordingModel(stores.queue.connection)
    .findOneAndUpdate(
      { _id: toObjectId(id), ownerId: toObjectId(ownerId), deletedAt: null },
      await deletionUpdate(stores.queue),
      { updatePipeline: true },
    )
    .lean()
  if (!marked) return false
  await removeContent(stores, { id, ownerId, extension: marked.extension })
  return true
}

/** Deletes all recordings, texts and jobs of an owner with their results: part of deleting a user. */
export async function removeUserWork(stores: Stores, owner: string): Promise<void> {
  const ownerId = toObjectId(owner)
  const model = recordingModel(stores.queue.connection)
  await model.updateMany({ ownerId }, await deletionUpdate(stores.queue), { updatePipeline: true })
  const recordings = await model.find({ ownerId }, { extension: 1 }).lean()
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
  await removeHeardBy(stores.queue.connection, owner)
  await removeSearchIndex(stores.queue.connection, owner)
  await removeUserFromCases(stores.queue.connection, owner)
  await removeLibrary(stores.queue.connection, owner)
  await removeAlerts(stores.queue.connection, { ownerId: owner })
  // Nobody is left to be notified, so no emptied documents stay.
  await model.deleteMany({ ownerId, deletedAt: { $gt: new Date(0) } })
}

/** Deletes recordings that were removed and can no longer be restored. */
export async function purgeRemoved(stores: Stores): Promise<void> {
  const { connection } = stores.queue
  const due = { purgeAt: { $lte: await readDatabaseTime(connection) } }
  const removed = await recordingModel(connection).find(due, removedFields).limit(maxPerRun).lean()
  for (const recording of removed) await purgeOne(stores, recording)
}

/** Deletes removed recordings of an owner before their time, oldest first, until so many bytes are free. */
export async function purgeRemovedOf(stores: Stores, ownerId: string, bytes: number): Promise<void> {
  const removed = await recordingModel(stores.queue.connection)
    .find(
      { ownerId: toObjectId(ownerId), deletedAt: { $gt: new Date(0) }, purgeAt: { $gt: new Date(0) } },
      removedFields,
    )
    .sort({ deletedAt: 1 })
    .limit(maxPerRun)
    .lean()
  let left = bytes
  for (const recording of removed) {
    if (left <= 0) return
    left -= await purgeOne(stores, recording)
  }
}

const removedFields = { ownerId: 1, extension: 1, sizeBytes: 1 } as const
type RemovedRecording = Pick<RecordingDocument, '_id' | keyof typeof removedFields>

/** Deletes a removed recording. Returns the bytes that are free: none where it was restored meanwhile. */
async function purgeOne(stores: Stores, { _id, ownerId, extension, sizeBytes }: RemovedRecording): Promise<number> {
  const update = await deletionUpdate(stores.queue)
  const { matchedCount } = await recordingModel(stores.queue.connection).updateOne(
    { _id, purgeAt: { $gt: new Date(0) } },
    update,
    { updatePipeline: true },
  )
  if (matchedCount === 0) return 0
  await removeContent(stores, { id: _id.toHexString(), ownerId: ownerId.toHexString(), extension })
  return sizeBytes
}

/** Finishes deletions that a crash interrupted; repeating one changes nothing. */
export async function finishDeletions(stores: Stores): Promise<void> {
  const deleted = await recordingModel(stores.queue.connection)
    .find({ deletedAt: { $gt: new Date(0) }, purgeAt: null, contentRemovedAt: null }, { ownerId: 1, extension: 1 })
    .limit(maxPerRun)
    .lean()
  for (const { _id, ownerId, extension } of deleted) {
    await removeContent(stores, { id: _id.toHexString(), ownerId: ownerId.toHexString(), extension })
  }
}

/** Returns the update that hides a recording from everybody, for good. */
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

async function removeContent(
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
  await removeSearchEntries(queue.connection, ownerId, [id])
  await removeAlerts(queue.connection, { ownerId, recordingId: id })
  await removeRecordingFromCases(queue.connection, id)
  await recordingModel(connection).updateOne(
    { _id: toObjectId(id), deletedAt: { $gt: new Date(0) } },
    { $set: { contentRemovedAt: await readDatabaseTime(connection) } },
  )
}
