import { readDatabaseTime } from './database-time.ts'
import { failing, requeueing } from './lease.ts'
import type { Queue } from './queue.ts'

const gaveUp = {
  error: 'The work was interrupted too often and was given up.',
  code: 'job_failed',
  help: 'Try again. If it happens again, the recording or the model may be at fault: tell your administrator.',
} as const

/**
 * Brings back every job whose holder shows no sign of life: into the queue, or to its end when its attempts are used up. Safe to
 * run anywhere, any number at once. Answers how many were brought back.
 */
export async function reconcileJobs(queue: Queue): Promise<{ requeued: number; failed: number }> {
  const now = await readDatabaseTime(queue.connection)
  return bringBack(queue, { leaseUntil: { $lte: now } })
}

/** Voids the leases of an engine known to be dead, without waiting for them to run out. */
export async function voidLeases(queue: Queue, engineId: string): Promise<{ requeued: number; failed: number }> {
  return bringBack(queue, { engineId })
}

async function bringBack(queue: Queue, held: { leaseUntil: { $lte: Date } } | { engineId: string }) {
  const { maxAttempts } = queue.limits
  const [failed, requeued] = await Promise.all([
    queue.jobs.updateMany({ state: 'running', ...held, attempt: { $gte: maxAttempts } }, failing(gaveUp), {
      updatePipeline: true,
    }),
    queue.jobs.updateMany({ state: 'running', ...held, attempt: { $lt: maxAttempts } }, requeueing(null), {
      updatePipeline: true,
    }),
  ])
  return { requeued: requeued.modifiedCount, failed: failed.modifiedCount }
}
