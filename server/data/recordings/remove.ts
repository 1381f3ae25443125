import type { PipelineStage } from 'mongoose'
import type { AudioStore } from '../audio-store/audio-store.ts'
import { nextChange } from '../change-counter.ts'
import { toObjectId } from '../ids.ts'
import { removeJobs } from '../jobs/cancel.ts'
import type { Queue } from '../jobs/queue.ts'
import { sourceModel } from '../jobs/source-model.ts'
import { removeLineEdits } from '../line-edits/line-edits.ts'
import { removeNotes } from '../notes/notes.ts'
import { removeReviewedHits } from '../reviewed-hits/reviewed-hits.ts'
import { recordingModel } from './recording-model.ts'
import { removeWaveform, removeWaveforms } from './waveforms.ts'

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
  await model.updateMany({ ownerId, deletedAt: null }, await deletionUpdate(stores.queue), { updatePipeline: true })
  const recordings = await model.find({ ownerId }, { extension: 1 }).lean()
  for (const { _id, extension } of recordings) await stores.audioStore.remove({ id: _id.toHexString(), extension })
  await removeJobs(stores.queue, { ownerId: owner })
  await sourceModel(stores.queue.connection).deleteMany({ ownerId })
  await removeWaveforms(stores.queue.connection, owner)
  await removeLineEdits(stores.queue.connection, { ownerId: owner })
  await removeNotes(stores.queue.connection, { ownerId: owner })
  await removeReviewedHits(stores.queue.connection, { ownerId: owner })
  // Nobody is left to be notified, so no emptied documents stay.
  await model.deleteMany({ ownerId, deletedAt: { $gt: new Date(0) } })
}

/** Finishes deletions that a crash interrupted; repeating one changes nothing. */
export async function finishDeletions(stores: Stores): Promise<void> {
  const deleted = await recordingModel(stores.queue.connection)
    .find({ deletedAt: { $gt: new Date(0) } }, { ownerId: 1, extension: 1 })
    .limit(10_000)
    .lean()
  for (const { _id, ownerId, extension } of deleted) {
    await removeContent(stores, { id: _id.toHexString(), ownerId: ownerId.toHexString(), extension })
  }
}

/** Returns the update that hides a recording from everybody. */
async function deletionUpdate({ connection }: Queue): Promise<PipelineStage.Set[]> {
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
      },
    },
  ]
}

async function removeContent(
  { queue, audioStore }: Stores,
  { id, ownerId, extension }: { id: string; ownerId: string; extension: string },
) {
  await audioStore.remove({ id, extension })
  await removeJobs(queue, { ownerId, recordingId: id })
  await sourceModel(queue.connection).deleteMany({ ownerId: toObjectId(ownerId), recordingId: toObjectId(id) })
  await removeWaveform(queue.connection, ownerId, id)
  await removeLineEdits(queue.connection, { ownerId, recordingId: id })
  await removeNotes(queue.connection, { ownerId, recordingId: id })
  await removeReviewedHits(queue.connection, { ownerId, recordingId: id })
}
