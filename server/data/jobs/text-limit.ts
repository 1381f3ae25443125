import type { Types } from 'mongoose'
import type { Queue } from './queue.ts'

/** Texts of a user that belong to no recording: more than anybody reads again, and what they take of the database at most. */
const defaults = { maxTexts: 500, maxBytes: 64 * 1024 * 1024 }

/**
 * Deletes a user's oldest texts above the limits, with their finished translations. Texts of recordings are left alone: they count
 * against the quota and go with their recording. So are those that a job still needs.
 */
export async function trimTexts(queue: Queue, ownerId: Types.ObjectId, limits = defaults): Promise<void> {
  const texts = await queue.sources
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

async function removeText(queue: Queue, ownerId: Types.ObjectId, id: Types.ObjectId) {
  const own = { ownerId, recordingId: null, 'params.sourceId': id.toHexString() }
  if (await queue.jobs.exists({ ...own, state: { $in: ['queued', 'running'] } })) return
  await queue.jobs.deleteMany({ ...own, state: { $nin: ['queued', 'running'] } })
  await queue.sources.deleteOne({ _id: id, ownerId })
}
