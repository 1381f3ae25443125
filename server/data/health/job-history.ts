import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import type { EndedAttempt } from '../jobs/attempts.ts'
import { checkpointModel } from '../jobs/checkpoint-model.ts'
import { jobModel, type JobDocument } from '../jobs/job-model.ts'
import { recordingModel } from '../recordings/recording-model.ts'

const fields = {
  ownerId: 1,
  recordingId: 1,
  kind: 1,
  state: 1,
  params: 1,
  rank: 1,
  isHeld: 1,
  attempt: 1,
  attemptBegan: 1,
  attempts: 1,
  engineId: 1,
  leaseUntil: 1,
  progress: 1,
  error: 1,
  createdAt: 1,
  startedAt: 1,
  finishedAt: 1,
} as const

/** Everything stored about a job except its words. */
export interface JobHistory extends Omit<
  Pick<JobDocument, keyof typeof fields>,
  'ownerId' | 'recordingId' | 'attempts'
> {
  id: string
  ownerId: string
  recordingId: string | null
  attempts: (EndedAttempt & { attempt: number })[]
}

type StoredHistory = Pick<JobDocument, '_id' | keyof typeof fields>

/** Returns a job of any owner, for administrators; null where there is none. */
export async function findJobHistory(connection: DatabaseConnection, id: string): Promise<JobHistory | null> {
  const job = await jobModel(connection).findById(toObjectId(id), fields).lean<StoredHistory>()
  return job && toHistory(job)
}

/** Returns the jobs that failed last, and those that wait or run after a failed attempt; at most `limit` of each, newest first. */
export async function listFailures(connection: DatabaseConnection, limit: number): Promise<JobHistory[]> {
  const jobs = jobModel(connection)
  const [failed, open] = await Promise.all([
    jobs.find({ state: 'failed' }, fields).sort({ rank: -1, _id: -1 }).limit(limit).lean<StoredHistory[]>(),
    jobs
      .find({ state: { $in: ['queued', 'running'] }, attempts: { $exists: true } }, fields)
      .limit(limit)
      .lean<StoredHistory[]>(),
  ])
  return [...failed, ...open].map(toHistory).toSorted((a, b) => lastFailureOf(b) - lastFailureOf(a))
}

/** Returns when the job or its last attempt ended, in milliseconds since 1970. */
export function lastFailureOf({ attempts, finishedAt }: JobHistory): number {
  return Math.max(finishedAt?.getTime() ?? 0, ...attempts.map(({ endedAt }) => endedAt.getTime()))
}

/** Returns how many finished parts of a job are stored, from which its next attempt continues. */
export async function countCheckpoints(connection: DatabaseConnection, jobId: string): Promise<number> {
  return checkpointModel(connection).countDocuments({ jobId: toObjectId(jobId) })
}

/** Returns the length of a recording in milliseconds; null where it was deleted. */
export async function readRecordingLength(connection: DatabaseConnection, id: string): Promise<number | null> {
  const found = await recordingModel(connection)
    .findOne({ _id: toObjectId(id), deletedAt: null }, { durationMs: 1 })
    .lean<{ durationMs: number }>()
  return found?.durationMs ?? null
}

function toHistory({ _id, ownerId, recordingId, attempts = {}, ...job }: StoredHistory): JobHistory {
  return {
    ...job,
    id: _id.toHexString(),
    ownerId: ownerId.toHexString(),
    recordingId: recordingId?.toHexString() ?? null,
    attempts: Object.entries(attempts)
      .map(([attempt, ended]) => ({ ...ended, attempt: Number(attempt) }))
      .toSorted((a, b) => a.attempt - b.attempt),
  }
}
