import type { z } from 'zod'
import { loadCheckpoints, saveCheckpoint } from '#data/jobs/checkpoints.ts'
import type { LeasedJob } from '#data/jobs/lease.ts'
import type { Queue } from '#data/jobs/queue.ts'

/** The finished parts of a job, kept in the database under their keys. What an older version kept in another shape is left out. */
export function jobCheckpoint<Part extends { key: string }>(queue: Queue, job: LeasedJob, schema: z.ZodType<Part>) {
  return {
    async load(): Promise<Part[]> {
      const parts = await loadCheckpoints(queue, job._id)
      return [...parts.values()].flatMap((part) => schema.safeParse(part).data ?? [])
    },
    async save(part: Part): Promise<void> {
      await saveCheckpoint(queue, job._id, part.key, part)
    },
  }
}
