import type { PipelineStage, Types } from 'mongoose'
import type { AudioStore } from '../audio-store/audio-store.ts'
import { nextChange } from '../change-counter.ts'
import { removeJobs } from '../jobs/cancel.ts'
import type { Queue } from '../jobs/queue.ts'
import { recordingModel } from './recording-model.ts'

interface Stores {
  queue: Queue
  audioStore: AudioStore
}

/**
 * Deletes a recording with its file, its jobs and their results; running work loses its lease and stops. The document is marked
 * first: from then on nobody sees the recording, and a deletion cut short is finished by `finishDeletions`.
 * False where the owner has none of that id.
 */
export async function removeRecording(stores: Stores, ownerId: Types.ObjectId, id: Types.ObjectId): Promise<boolean> {
  const marked = await recordingModel(stores.queue.connection)
    .findOneAndUpdate({ _id: id, ownerId, deletedAt: null }, await marking(stores.queue), { updatePipeline: true })
    .lean()
  if (!marked) return false
  await removeContent(stores, { _id: id, ownerId, extension: marked.extension })
  return true
}

/** Deletes everything an owner uploaded, sent and got: part of deleting a user. */
export async function removeUserWork(stores: Stores, ownerId: Types.ObjectId): Promise<void> {
  const model = recordingModel(stores.queue.connection)
  await model.updateMany({ ownerId, deletedAt: null }, await marking(stores.queue), { updatePipeline: true })
  const recordings = await model.find({ ownerId }, { extension: 1 }).lean()
  for (const { _id, extension } of recordings) await stores.audioStore.remove({ id: _id.toHexString(), extension })
  await removeJobs(stores.queue, { ownerId })
  await stores.queue.sources.deleteMany({ ownerId })
  // Nobody is left who would have to hear of it, so no emptied documents stay.
  await model.deleteMany({ ownerId, deletedAt: { $gt: new Date(0) } })
}

/** Finishes deletions that a crash cut short; doing one again changes nothing. */
export async function finishDeletions(stores: Stores): Promise<void> {
  const deleted = await recordingModel(stores.queue.connection)
    .find({ deletedAt: { $gt: new Date(0) } }, { ownerId: 1, extension: 1 })
    .limit(10_000)
    .lean()
  for (const recording of deleted) await removeContent(stores, recording)
}

/** The update that takes a recording from everybody's sight. */
async function marking({ connection }: Queue): Promise<PipelineStage.Set[]> {
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
      },
    },
  ]
}

async function removeContent(
  { queue, audioStore }: Stores,
  recording: { _id: Types.ObjectId; ownerId: Types.ObjectId; extension: string },
) {
  await audioStore.remove({ id: recording._id.toHexString(), extension: recording.extension })
  await removeJobs(queue, { ownerId: recording.ownerId, recordingId: recording._id })
  await queue.sources.deleteMany({ ownerId: recording.ownerId, recordingId: recording._id })
}
