import type { Types } from 'mongoose'
import { packJson, toBytes, unpackJson } from './packed-json.ts'
import type { Queue } from './queue.ts'

/**
 * Keeps a finished part of a job under a key of its own; the same part again replaces it. `data` is anything JSON can hold. Nothing
 * stays of a job that was cancelled or deleted meanwhile: who does that changes the job first and removes its parts then.
 */
export async function saveCheckpoint(queue: Queue, jobId: Types.ObjectId, key: string, data: unknown): Promise<void> {
  const packed = await packJson(data)
  await queue.checkpoints.updateOne({ jobId, key }, [{ $set: { data: { $literal: packed }, createdAt: '$$NOW' } }], {
    upsert: true,
    updatePipeline: true,
  })
  const isOpen = await queue.jobs.exists({ _id: jobId, state: { $in: ['queued', 'running'] } })
  if (!isOpen) await queue.checkpoints.deleteMany({ jobId })
}

/** All finished parts of a job by key, unparsed. */
export async function loadCheckpoints(queue: Queue, jobId: Types.ObjectId): Promise<Map<string, unknown>> {
  const found = await queue.checkpoints.find({ jobId }).lean()
  const parts = await Promise.all(found.map(async ({ key, data }) => [key, await unpackJson(toBytes(data))] as const))
  return new Map(parts)
}
