import type { Types } from 'mongoose'
import type { JobState } from '#contract/entities/job.ts'
import { nextChange } from '../change-counter.ts'
import { withoutResult, type JobRecord } from './job-model.ts'
import { cancellationUpdate, removeParts } from './lease.ts'
import type { Queue } from './queue.ts'

/**
 * Cancels a queued or running job of its owner; the engine at work notices within about a second. A job that has ended
 * stays as it is. Answers the job as it is then, or null where the owner has none of that id.
 */
export async function cancelJob(queue: Queue, ownerId: Types.ObjectId, id: Types.ObjectId): Promise<JobRecord | null> {
  const change = await nextChange(queue.connection)
  const cancelled = await queue.jobs
    .findOneAndUpdate({ _id: id, ownerId, state: { $in: ['queued', 'running'] } }, cancellationUpdate(change), {
      projection: withoutResult,
      returnDocument: 'after',
      updatePipeline: true,
    })
    .lean<JobRecord>()
  if (!cancelled) return queue.jobs.findOne({ _id: id, ownerId }, withoutResult).lean<JobRecord>()
  await removeParts(queue, [id])
  return cancelled
}

/** Cancels all queued and running jobs of an owner. */
export async function cancelJobs(queue: Queue, ownerId: Types.ObjectId): Promise<void> {
  const open = await queue.jobs.find({ ownerId, state: { $in: ['queued', 'running'] } }, { _id: 1 }).lean()
  for (const { _id } of open) await cancelJob(queue, ownerId, _id)
}

/** Removes every trace of the work of an owner, or of one recording of theirs. A running engine loses its lease with it. */
export async function removeJobs(
  queue: Queue,
  filter: { ownerId: Types.ObjectId; recordingId?: Types.ObjectId; state?: { $in: JobState[] } },
): Promise<void> {
  const jobs = await queue.jobs.find(filter, { _id: 1 }).lean()
  await queue.jobs.deleteMany(filter)
  await removeParts(
    queue,
    jobs.map((job) => job._id),
  )
}
