import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { waitingJobs } from '../jobs/hold.ts'
import { jobModel } from '../jobs/job-model.ts'

export interface QueueHealth {
  waiting: number
  /** Age of the job that has waited longest; 0 where none waits. */
  oldestWaitingMs: number
  /** Ids of running jobs whose lease ended and that no engine took back. At most 100. */
  abandoned: string[]
  /** Of the last day. */
  failed: number
  ended: number
}

/** A lease is renewed every few seconds, and the engines look for ended ones as often. */
const abandonedAfterMs = 2 * 60_000
const dayMs = 24 * 3_600_000

/** Reads how the job queue is doing, by the clock of the database. */
export async function readQueueHealth(connection: DatabaseConnection): Promise<QueueHealth> {
  const jobs = jobModel(connection)
  const now = (await readDatabaseTime(connection)).getTime()
  const lastDay = { finishedAt: { $gte: new Date(now - dayMs) } }
  const [waiting, oldest, abandoned, failed, ended] = await Promise.all([
    jobs.countDocuments(waitingJobs),
    jobs.findOne(waitingJobs, { createdAt: 1 }).sort({ createdAt: 1 }).lean(),
    jobs
      .find({ state: 'running', leaseUntil: { $lt: new Date(now - abandonedAfterMs) } }, { _id: 1 })
      .limit(100)
      .lean(),
    jobs.countDocuments({ state: 'failed', ...lastDay }),
    jobs.countDocuments({ state: { $in: ['done', 'failed'] }, ...lastDay }),
  ])
  return {
    waiting,
    oldestWaitingMs: oldest ? Math.max(0, now - oldest.createdAt.getTime()) : 0,
    abandoned: abandoned.map(({ _id }) => _id.toHexString()),
    failed,
    ended,
  }
}
