import { nextChange } from '../change-counter.ts'
import { toObjectId } from '../ids.ts'
import { jobModel, type JobDocument } from './job-model.ts'
import { recordFields, toJobRecord, type JobRecord } from './job-record.ts'
import { cancellationUpdate, removeCheckpointsAndProgress } from './lease.ts'
import type { Queue } from './queue.ts'

/**
 * Cancels a queued or running job of its owner; the engine running it notices within about a second. A job that has ended
 * stays unchanged. Returns the updated job, or null where the owner has no job with that id.
 */
export async function cancelJob(queue: Queue, ownerId: string, id: string): Promise<JobRecord | null> {
  const jobs = jobModel(queue.connection)
  const own = { _id: toObjectId(id), ownerId: toObjectId(ownerId) }
  const change = await nextChange(queue.connection)
  const cancelled = await jobs
    .findOneAndUpdate({ ...own, state: { $in: ['queued', 'running'] } }, cancellationUpdate(change), {
      projection: recordFields,
      returnDocument: 'after',
      updatePipeline: true,
    })
    .lean<JobDocument>()
  if (cancelled) {
    await removeCheckpointsAndProgress(queue, [id])
    return toJobRecord(cancelled)
  }
  const ended = await jobs.findOne(own, recordFields).lean<JobDocument>()
  return ended && toJobRecord(ended)
}

/** Cancels all queued and running jobs of an owner. */
export async function cancelJobs(queue: Queue, ownerId: string): Promise<void> {
  const open = await jobModel(queue.connection)
    .find({ ownerId: toObjectId(ownerId), state: { $in: ['queued', 'running'] } }, { _id: 1 })
    .lean()
  for (const { _id } of open) await cancelJob(queue, ownerId, _id.toHexString())
}

/**
 * Removes the jobs of an owner with everything stored for them: all, those of one recording, or those not yet ended. A running engine
 * loses its lease with its job.
 */
export async function removeJobs(
  queue: Queue,
  { ownerId, recordingId, isOpen }: { ownerId: string; recordingId?: string; isOpen?: true },
): Promise<void> {
  const filter = {
    ownerId: toObjectId(ownerId),
    ...(recordingId !== undefined && { recordingId: toObjectId(recordingId) }),
    ...(isOpen && { state: { $in: ['queued' as const, 'running' as const] } }),
  }
  const jobs = jobModel(queue.connection)
  const removed = await jobs.find(filter, { _id: 1 }).lean()
  await jobs.deleteMany(filter)
  await removeCheckpointsAndProgress(
    queue,
    removed.map(({ _id }) => _id.toHexString()),
  )
}
