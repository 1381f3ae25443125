import type { Types } from 'mongoose'
import { packJson, toBytes, unpackJson } from './packed-json.ts'
import type { Queue } from './queue.ts'

/** Keeps a finished part of a job under a key of its own; the same part again replaces it. `data` is anything JSON can hold. */
export async function saveCheckpoint(queue: Queue, jobId: Types.ObjectId, key: string, data: unknown): Promise<void> {
  const packed = await packJson(data)
  await queue.checkpoints.updateOne({ jobId, key }, [{ $set: { data: { $literal: packed }, createdAt: '$$NOW' } }], {
    upsert: true,
    updatePipeline: true,
  })
}

/** All finished parts of a job by key, unparsed. */
export async function loadCheckpoints(queue: Queue, jobId: Types.ObjectId): Promise<Map<string, unknown>> {
  const found = await queue.checkpoints.find({ jobId }).lean()
  const parts = await Promise.all(found.map(async ({ key, data }) => [key, await unpackJson(toBytes(data))] as const))
  return new Map(parts)
}
