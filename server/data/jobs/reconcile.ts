import type { Types } from 'mongoose'
import { incrementCounters } from '../counters/counters.ts'
import { nextChange } from '../change-counter.ts'
import { readDatabaseTime } from '../database-time.ts'
import { observeReachability } from '../reachability.ts'
import { jobModel, type JobDocument } from './job-model.ts'
import { attemptEnd } from './attempts.ts'
import { failUpdate, requeueUpdate } from './lease.ts'
import type { Queue } from './queue.ts'

const attemptsExhausted = {
  error: 'The work was interrupted too often and was given up.',
  code: 'job_failed',
  help: 'Try again. If it happens again, the recording or the model may be at fault: tell your administrator.',
} as const

/** Numbers of jobs. */
interface Reclaimed {
  requeued: number
  failed: number
}

/** Receives the id of a job that was taken from an engine. */
export type OnReclaimed = (jobId: string) => void

type HeldJob = Pick<JobDocument, '_id' | 'leaseId' | 'leaseUntil'>

/**
 * Returns a function that requeues every job whose lease has expired, or fails it once its attempts are used up. Call it every few seconds,
 * in any number of processes at once.
 *
 * A jumping clock must neither take a job from a working engine nor leave one with a dead engine. So an expired lease counts only once
 * its holder has missed a renewal by this process's monotonic clock too, and a lease not renewed for its full length has expired
 * whatever its time says. Time during which this process could not reach the database does not count: the holder could not renew its
 * lease either, and gets to do so first. `onReclaimed` receives each job taken from its engine; `onRunning` is called where jobs are
 * running and must be watched.
 */
export function createReconciler(
  queue: Queue,
  onReclaimed: OnReclaimed = () => undefined,
  onRunning: () => void = () => undefined,
): () => Promise<Reclaimed> {
  const { leaseMs, renewMs } = queue.limits
  const reachability = observeReachability(queue.connection)
  let seen = new Map<string, { lease: string; sinceMs: number }>()

  /** Returns how long each job's lease has gone without renewal, as far as this process has observed. */
  function measureTimeSinceRenewal(jobs: HeldJob[]): Map<string, number> {
    const nowMs = performance.now()
    seen = new Map(
      jobs.map((job) => {
        const id = job._id.toHexString()
        const lease = `${job.leaseId?.toHexString()} ${job.leaseUntil?.getTime()}`
        const before = seen.get(id)
        return [id, before?.lease === lease ? before : { lease, sinceMs: nowMs }]
      }),
    )
    const reachableSinceMs = reachability.reachableSinceMs()
    return new Map([...seen].map(([id, { sinceMs }]) => [id, nowMs - Math.max(sinceMs, reachableSinceMs)]))
  }

  return async function reconcile() {
    const [now, jobs] = await Promise.all([
      readDatabaseTime(queue.connection),
      jobModel(queue.connection)
        .find({ state: 'running' }, { leaseId: 1, leaseUntil: 1 })
        .limit(1_000)
        .lean<HeldJob[]>(),
    ])
    if (jobs.length > 0) onRunning()
    const sinceRenewalMs = measureTimeSinceRenewal(jobs)
    const abandoned = jobs.filter(({ _id, leaseUntil }) => {
      const ms = sinceRenewalMs.get(_id.toHexString()) ?? 0
      const hasExpired = leaseUntil !== null && leaseUntil <= now
      return ms >= leaseMs || (hasExpired && ms >= 1.5 * renewMs)
    })
    const total = { requeued: 0, failed: 0 }
    for (const { _id, leaseId, leaseUntil } of abandoned) {
      const { requeued, failed } = await reclaim(queue, { _id, leaseId, leaseUntil })
      total.requeued += requeued
      total.failed += failed
      if (requeued + failed > 0) onReclaimed(_id.toHexString())
    }
    return total
  }
}

/** Revokes the leases of an engine known to be dead, without waiting for them to expire. */
export async function revokeLeases(queue: Queue, engineId: string, onReclaimed: OnReclaimed): Promise<Reclaimed> {
  const jobs = await jobModel(queue.connection).find({ state: 'running', engineId }, { _id: 1 }).limit(1_000).lean()
  const reclaimed = await reclaim(queue, { engineId })
  for (const { _id } of jobs) onReclaimed(_id.toHexString())
  return reclaimed
}

type LeaseFilter =
  { engineId: string } | { _id: Types.ObjectId; leaseId: Types.ObjectId | null; leaseUntil: Date | null }

async function reclaim(queue: Queue, held: LeaseFilter): Promise<Reclaimed> {
  const { maxAttempts } = queue.limits
  const jobs = jobModel(queue.connection)
  const change = await nextChange(queue.connection)
  const end = (attempt: number) => attemptEnd(attempt, { outcome: 'lost' })
  const update = async (attempt: number | { $gte: number }, pipeline: ReturnType<typeof failUpdate>) =>
    (await jobs.updateMany({ state: 'running', ...held, attempt }, pipeline, { updatePipeline: true })).modifiedCount
  // One update per attempt number, under which the end is stored.
  const attempts = Array.from({ length: maxAttempts - 1 }, (_, index) => index + 1)
  const [failed, ...requeued] = await Promise.all([
    update({ $gte: maxAttempts }, failUpdate(attemptsExhausted, change, end(maxAttempts))),
    ...attempts.map((attempt) => update(attempt, requeueUpdate(null, change, end(attempt)))),
  ])
  const reclaimed = { requeued: requeued.reduce((sum, count) => sum + count, 0), failed }
  await incrementCounters(queue.connection, [
    { name: 'lost_leases', labels: {}, by: reclaimed.requeued + reclaimed.failed },
  ])
  return reclaimed
}
