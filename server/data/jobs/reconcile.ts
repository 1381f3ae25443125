import type { Types } from 'mongoose'
import { nextChange } from '../change-counter.ts'
import { readDatabaseTime } from '../database-time.ts'
import type { JobDocument } from './job-model.ts'
import { failing, requeueing } from './lease.ts'
import type { Queue } from './queue.ts'

const gaveUp = {
  error: 'The work was interrupted too often and was given up.',
  code: 'job_failed',
  help: 'Try again. If it happens again, the recording or the model may be at fault: tell your administrator.',
} as const

interface BroughtBack {
  requeued: number
  failed: number
}

type Held = Pick<JobDocument, '_id' | 'leaseId' | 'leaseUntil'>

/**
 * Brings back every job whose holder shows no sign of life: into the queue, or to its end when its attempts are used up. Call it every
 * few seconds, in any number of processes at once.
 *
 * A clock that jumps must neither take a job from an engine that works nor leave one with an engine that died. So a lease that has run
 * out counts once its holder has missed a renewal by our own watch too; and one that was not renewed for its whole length has run out,
 * whatever its time says.
 */
export function createReconciler(queue: Queue): () => Promise<BroughtBack> {
  const { leaseMs, renewMs } = queue.limits
  let seen = new Map<string, { lease: string; sinceMs: number }>()

  /** How long a lease has not been renewed, as far as this process has watched. */
  function watch(jobs: Held[]): Map<string, number> {
    const nowMs = performance.now()
    seen = new Map(
      jobs.map((job) => {
        const id = job._id.toHexString()
        const lease = `${job.leaseId?.toHexString()} ${job.leaseUntil?.getTime()}`
        const before = seen.get(id)
        return [id, before?.lease === lease ? before : { lease, sinceMs: nowMs }]
      }),
    )
    return new Map([...seen].map(([id, { sinceMs }]) => [id, nowMs - sinceMs]))
  }

  return async function reconcile() {
    const [now, jobs] = await Promise.all([
      readDatabaseTime(queue.connection),
      queue.jobs.find({ state: 'running' }, { leaseId: 1, leaseUntil: 1 }).limit(1_000).lean<Held[]>(),
    ])
    const silentMs = watch(jobs)
    const abandoned = jobs.filter(({ _id, leaseUntil }) => {
      const ms = silentMs.get(_id.toHexString()) ?? 0
      const hasRunOut = leaseUntil !== null && leaseUntil <= now
      return ms >= leaseMs || (hasRunOut && ms >= 1.5 * renewMs)
    })
    const total = { requeued: 0, failed: 0 }
    for (const { _id, leaseId, leaseUntil } of abandoned) {
      const { requeued, failed } = await bringBack(queue, { _id, leaseId, leaseUntil })
      total.requeued += requeued
      total.failed += failed
    }
    return total
  }
}

/** Voids the leases of an engine known to be dead, without waiting for them to run out. */
export async function voidLeases(queue: Queue, engineId: string): Promise<BroughtBack> {
  return bringBack(queue, { engineId })
}

type Holding = { engineId: string } | { _id: Types.ObjectId; leaseId: Types.ObjectId | null; leaseUntil: Date | null }

async function bringBack(queue: Queue, held: Holding): Promise<BroughtBack> {
  const { maxAttempts } = queue.limits
  const change = await nextChange(queue.connection)
  const [failed, requeued] = await Promise.all([
    queue.jobs.updateMany({ state: 'running', ...held, attempt: { $gte: maxAttempts } }, failing(gaveUp, change), {
      updatePipeline: true,
    }),
    queue.jobs.updateMany({ state: 'running', ...held, attempt: { $lt: maxAttempts } }, requeueing(null, change), {
      updatePipeline: true,
    }),
  ])
  return { requeued: requeued.modifiedCount, failed: failed.modifiedCount }
}
