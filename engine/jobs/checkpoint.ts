import type { z } from 'zod'
import { loadCheckpoints, saveCheckpoint } from '#data/jobs/checkpoints.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'

/** Stores the finished parts of a job in the database by key. Parts of an older version in another shape are left out. */
export function jobCheckpoint<Part extends { key: string }>(queue: Queue, job: LeasedJob, schema: z.ZodType<Part>) {
  return {
    async load(): Promise<Part[]> {
      const parts = await loadCheckpoints(queue, job.id)
      return [...parts.values()].flatMap((part) => schema.safeParse(part).data ?? [])
    },
    async save(part: Part): Promise<void> {
      await saveCheckpoint(queue, job.id, part.key, part)
    },
  }
}
