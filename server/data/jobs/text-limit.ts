import type { Types } from 'mongoose'
import { toObjectId } from '../ids.ts'
import { jobModel } from './job-model.ts'
import type { Queue } from './queue.ts'
import { sourceModel } from './source-model.ts'

/** Limits of one user's texts without a recording: more than anyone rereads, and the database space they may take. */
const defaults = { maxTexts: 500, maxBytes: 64 * 1024 * 1024 }

/**
 * Deletes a user's oldest texts above the limits, with their finished translations. Texts of recordings stay: they count against the
 * quota and are deleted with their recording. Texts that a job still needs stay too.
 */
export async function trimTexts(queue: Queue, owner: string, limits = defaults): Promise<void> {
  const ownerId = toObjectId(owner)
  const texts = await sourceModel(queue.connection)
    .find({ ownerId, recordingId: null }, { sizeBytes: 1 })
    .sort({ usedAt: -1, _id: -1 })
    .lean()
  let bytes = 0
  const tooMany = texts.filter(({ sizeBytes }, index) => {
    bytes += sizeBytes
    return index > 0 && (index >= limits.maxTexts || bytes > limits.maxBytes)
  })
  for (const { _id } of tooMany) await removeText(queue, ownerId, _id)
}

async function removeText({ connection }: Queue, ownerId: Types.ObjectId, id: Types.ObjectId) {
  const own = { ownerId, recordingId: null, 'params.sourceId': id.toHexString() }
  const jobs = jobModel(connection)
  if (await jobs.exists({ ...own, state: { $in: ['queued', 'running'] } })) return
  await jobs.deleteMany({ ...own, state: { $nin: ['queued', 'running'] } })
  await sourceModel(connection).deleteOne({ _id: id, ownerId })
}
