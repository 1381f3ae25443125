import { toObjectId } from '../ids.ts'
import { waitingJobs } from './hold.ts'
import { jobModel, type JobDocument } from './job-model.ts'
import type { JobRecord } from './job-record.ts'
import type { Queue } from './queue.ts'

const fields = { kind: 1, engineId: 1, attempt: 1, startedAt: 1, progress: 1 } as const

export type RunningJob = Pick<JobRecord, 'id' | keyof typeof fields>

export async function countWaitingJobs({ connection }: Queue): Promise<number> {
  return jobModel(connection).countDocuments(waitingJobs)
}

/** Returns the running jobs, at most 1,000. */
export async function listRunningJobs({ connection }: Queue): Promise<RunningJob[]> {
  const jobs = await jobModel(connection)
    .find({ state: 'running' }, fields)
    .limit(1000)
    .lean<Pick<JobDocument, '_id' | keyof typeof fields>[]>()
  return jobs.map(({ _id, ...rest }) => ({ ...rest, id: _id.toHexString() }))
}

/** Returns whether an attempt, identified by job and lease, still holds the job. */
export async function isAttemptActive(
  { connection }: Queue,
  attempt: { id: string; leaseId: string },
): Promise<boolean> {
  const { id, leaseId } = attempt
  return (await jobModel(connection).exists({ _id: toObjectId(id), leaseId: toObjectId(leaseId) })) !== null
}
