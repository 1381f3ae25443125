import type { z } from 'zod'
import { loadCheckpoints, saveCheckpoint } from '#data/jobs/checkpoints.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { retryWhileUnavailable } from '#data/retry-while-unavailable.ts'

/**
 * Stores the finished parts of a job in the database by key, and waits while the database cannot be reached. Parts that an older version
 * stored in another shape are left out.
 */
export function jobCheckpoint<Part extends { key: string }>(
  queue: Queue,
  { job, signal }: { job: LeasedJob; signal: AbortSignal },
  schema: z.ZodType<Part>,
) {
  return {
    async load(): Promise<Part[]> {
      const parts = await retryWhileUnavailable(() => loadCheckpoints(queue, job.id), signal)
      return [...parts.values()].flatMap((part) => schema.safeParse(part).data ?? [])
    },
    async save(part: Part): Promise<void> {
      await retryWhileUnavailable(() => saveCheckpoint(queue, job.id, part.key, part), signal)
    },
  }
}
