import { toObjectId } from '../ids.ts'
import { checkpointModel } from './checkpoint-model.ts'
import { jobModel } from './job-model.ts'
import { packJson, toBytes, unpackJson } from './packed-json.ts'
import type { Queue } from './queue.ts'

/**
 * Stores a finished part of a job under a key, replacing any earlier value. `data` is any JSON value. Nothing is left of a job that has
 * been cancelled or deleted in the meantime: both operations update the job first, then remove its checkpoints.
 */
export async function saveCheckpoint({ connection }: Queue, jobId: string, key: string, data: unknown): Promise<void> {
  const checkpoints = checkpointModel(connection)
  const ofJob = { jobId: toObjectId(jobId) }
  const packed = await packJson(data)
  await checkpoints.updateOne({ ...ofJob, key }, [{ $set: { data: { $literal: packed }, createdAt: '$$NOW' } }], {
    upsert: true,
    updatePipeline: true,
  })
  const isOpen = await jobModel(connection).exists({ _id: ofJob.jobId, state: { $in: ['queued', 'running'] } })
  if (!isOpen) await checkpoints.deleteMany(ofJob)
}

/** Returns all finished parts of a job by key, not validated. */
export async function loadCheckpoints({ connection }: Queue, jobId: string): Promise<Map<string, unknown>> {
  const found = await checkpointModel(connection)
    .find({ jobId: toObjectId(jobId) })
    .lean()
  const parts = await Promise.all(found.map(async ({ key, data }) => [key, await unpackJson(toBytes(data))] as const))
  return new Map(parts)
}
