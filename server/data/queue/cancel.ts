import type { Types } from 'mongoose'
import { nextChange } from '../change-counter.ts'
import { withoutResult, type JobRecord } from './job-model.ts'
import { cancelling, removeParts } from './lease.ts'
import type { Queue } from './queue.ts'

/**
 * Cancels a queued or running job of its owner; the engine at work learns it with its next write. A job that has ended stays as
 * it is. Answers the job as it is then, or null where the owner has none of that id.
 */
export async function cancelJob(queue: Queue, ownerId: Types.ObjectId, id: Types.ObjectId): Promise<JobRecord | null> {
  const change = await nextChange(queue.connection)
  const cancelled = await queue.jobs
    .findOneAndUpdate({ _id: id, ownerId, state: { $in: ['queued', 'running'] } }, cancelling(change), {
      projection: withoutResult,
      returnDocument: 'after',
      updatePipeline: true,
    })
    .lean<JobRecord>()
  if (!cancelled) return queue.jobs.findOne({ _id: id, ownerId }, withoutResult).lean<JobRecord>()
  await removeParts(queue, [id])
  return cancelled
}

/** Removes every trace of the work of an owner, or of one recording of theirs. A running engine loses its lease with it. */
export async function removeJobs(
  queue: Queue,
  filter: { ownerId: Types.ObjectId; recordingId?: Types.ObjectId },
): Promise<void> {
  const jobs = await queue.jobs.find(filter, { _id: 1 }).lean()
  await queue.jobs.deleteMany(filter)
  await removeParts(
    queue,
    jobs.map((job) => job._id),
  )
}
