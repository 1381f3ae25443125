import { Types } from 'mongoose'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { waitingJobs } from '../jobs/hold.ts'
import { jobModel } from '../jobs/job-model.ts'

export interface QueueState {
  waiting: number
  /** Age of the longest-waiting job; 0 where none waits. */
  oldestWaitingMs: number
  /** Ids of running jobs whose lease has ended and that no engine has reclaimed. At most 100. */
  abandoned: string[]
}

/** Outcomes of the jobs created in the last day. */
export interface JobOutcomes {
  failed: number
  ended: number
}

/** Ample: leases are renewed every few seconds, and engines look for expired ones as often. */
const abandonedAfterMs = 2 * 60_000
const dayMs = 24 * 3_600_000
/** Documents that one command reads within its limit of 3 s. */
const batchSize = 200

/** Reads the state of the job queue, by the database's clock. */
export async function readQueueState(connection: DatabaseConnection): Promise<QueueState> {
  const jobs = jobModel(connection)
  const now = (await readDatabaseTime(connection)).getTime()
  const [waiting, oldest, abandoned] = await Promise.all([
    jobs.countDocuments(waitingJobs),
    jobs.findOne(waitingJobs, { createdAt: 1 }).sort({ createdAt: 1 }).lean(),
    jobs
      .find({ state: 'running', leaseUntil: { $lt: new Date(now - abandonedAfterMs) } }, { _id: 1 })
      .limit(100)
      .lean(),
  ])
  return {
    waiting,
    oldestWaitingMs: oldest ? Math.max(0, now - oldest.createdAt.getTime()) : 0,
    abandoned: abandoned.map(({ _id }) => _id.toHexString()),
  }
}

/**
 * Counts how the jobs of the last day ended, by the database's clock. Finds them by their ids, which grow with time, so that gigabytes
 * of older results are not read.
 */
export async function countJobOutcomes(connection: DatabaseConnection): Promise<JobOutcomes> {
  const since = (await readDatabaseTime(connection)).getTime() - dayMs
  const firstId = Types.ObjectId.createFromTime(Math.floor(since / 1000))
  const recent = jobModel(connection)
    .find({ _id: { $gte: firstId } }, { state: 1 })
    .lean()
    .cursor({ batchSize })
  const counts = { failed: 0, ended: 0 }
  for await (const { state } of recent) {
    if (state === 'failed') counts.failed += 1
    if (state === 'failed' || state === 'done') counts.ended += 1
  }
  return counts
}
