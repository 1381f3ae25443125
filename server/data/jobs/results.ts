import type { JobKind } from '#contract/entities/job.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { jobModel, type JobDocument } from './job-model.ts'
import { recordFields, toJobRecord, type JobRecord } from './job-record.ts'
import { toBytes } from './packed-json.ts'
import { unpackResult, type JobResult } from './packed-result.ts'
import type { Queue } from './queue.ts'

/** Returns a job of this owner, or null. */
export async function findJob({ connection }: Queue, ownerId: string, id: string): Promise<JobRecord | null> {
  const job = await jobModel(connection)
    .findOne({ _id: toObjectId(id), ownerId: toObjectId(ownerId) }, recordFields)
    .lean<JobDocument>()
  return job && toJobRecord(job)
}

/**
 * Returns the result of a finished job of this owner, or null. `transcription_id` of a transcription is its job's id, so every reader
 * sees the same one.
 */
export async function readResult<Kind extends JobKind>(
  { connection }: Queue,
  ownerId: string,
  id: string,
  kind: Kind,
): Promise<JobResult<Kind> | null> {
  const job = await jobModel(connection)
    .findOne({ _id: toObjectId(id), ownerId: toObjectId(ownerId), kind, state: 'done' }, { result: 1 })
    .lean()
  return job?.result ? unpackResult(kind, toBytes(job.result)) : null
}

/** Returns all jobs of recordings, last finished first, at most 10,000. */
export async function listJobsOfRecordings(
  { connection }: Queue,
  ownerId: string,
  recordingIds: string[],
): Promise<JobRecord[]> {
  const { model, filter, projection, limit } = jobsOfRecordings(connection, ownerId, recordingIds)
  const jobs = await model.find(filter, projection).sort({ finishedAt: -1, _id: -1 }).limit(limit).lean<JobDocument[]>()
  return jobs.map(toJobRecord)
}

/** Returns the read for `listJobsOfRecordings`, for `readTogether`; `sortJobs` sorts its result. */
export function jobsOfRecordings(connection: DatabaseConnection, ownerId: string, recordingIds: string[]) {
  return {
    model: jobModel(connection),
    filter: { ownerId: toObjectId(ownerId), recordingId: { $in: recordingIds.map(toObjectId) } },
    projection: recordFields,
    sort: { finishedAt: -1, _id: -1 },
    limit: 10_000,
  } as const
}

/** Sorts jobs in the order of `listJobsOfRecordings`: last finished first, open jobs at the end. */
export function sortJobs(jobs: JobDocument[]): JobDocument[] {
  const endOf = ({ finishedAt }: JobDocument) => finishedAt?.getTime() ?? -Infinity
  return jobs.toSorted((a, b) => {
    const [endOfA, endOfB] = [endOf(a), endOf(b)]
    if (endOfA !== endOfB) return endOfB - endOfA
    return a._id.toHexString() < b._id.toHexString() ? 1 : -1
  })
}

/** Returns the latest finished job of a kind among jobs sorted as by listJobsOfRecordings. */
export function latestDone(jobs: JobRecord[], kind: JobRecord['kind']): JobRecord | undefined {
  return jobs.find((job) => job.kind === kind && job.state === 'done')
}

/** Jobs that ended within this time are listed with the open ones. */
const recentMs = 60_000

/** Returns an owner's open jobs and those that ended in the last minute by the database's clock; at most 500, newest first. */
export async function listRecentJobs({ connection }: Queue, owner: string): Promise<JobRecord[]> {
  const jobs = jobModel(connection)
  const ownerId = toObjectId(owner)
  const now = (await readDatabaseTime(connection)).getTime()
  const [open, ended] = await Promise.all([
    jobs
      .find({ ownerId, state: { $in: ['queued', 'running'] } }, recordFields)
      .sort({ _id: -1 })
      .limit(250)
      .lean<JobDocument[]>(),
    jobs
      // End times in the future were written before the clock was set back.
      .find({ ownerId, finishedAt: { $gt: new Date(now - recentMs), $lt: new Date(now + recentMs) } }, recordFields)
      .sort({ finishedAt: -1 })
      .limit(250)
      .lean<JobDocument[]>(),
  ])
  return [...open, ...ended].map(toJobRecord)
}

/** Returns the languages spoken and written in all finished jobs of an owner. */
export async function listLanguages({ connection }: Queue, ownerId: string): Promise<string[]> {
  return jobModel(connection).distinct('languages', { ownerId: toObjectId(ownerId), state: 'done' })
}
