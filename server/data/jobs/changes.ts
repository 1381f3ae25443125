import type { Types } from 'mongoose'
import { raiseLastChange, readLastChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { jobModel, type JobDocument } from './job-model.ts'
import { recordFields, toJobRecord, type JobRecord } from './job-record.ts'
import type { Queue } from './queue.ts'

/** A notice that a job was written; the job is read separately, for its followers. */
export type JobChange = Pick<JobRecord, 'id' | 'ownerId' | 'recordingId' | 'state' | 'version' | 'change'>

export interface RecordingChange {
  id: string
  ownerId: string
  version: number
  change: number
  deletedAt: Date | null
  /** See RecordingDocument. */
  annotationVersion?: number
}

/** More changes than are written in the time that one poll reaches back. */
const defaultLimit = 20_000

/** Returns the jobs written after a change, oldest first, at most `limit`. */
export async function findChangedJobs(
  { connection }: Queue,
  after: number,
  limit = defaultLimit,
): Promise<JobChange[]> {
  const changed = await jobModel(connection)
    .find({ change: { $gt: after } }, { ownerId: 1, recordingId: 1, state: 1, version: 1, change: 1 })
    .sort({ change: 1 })
    .limit(limit)
    .lean<Pick<JobDocument, '_id' | 'ownerId' | 'recordingId' | 'state' | 'version' | 'change'>[]>()
  return changed.map((job) => ({ ...withOwner(job), recordingId: job.recordingId?.toHexString() ?? null }))
}

/** Returns the recordings written after a change, deleted ones included, oldest first, at most `limit`. */
export async function findChangedRecordings(
  connection: DatabaseConnection,
  after: number,
  limit = defaultLimit,
): Promise<RecordingChange[]> {
  const changed = await recordingModel(connection)
    .find({ change: { $gt: after } }, { ownerId: 1, version: 1, annotationVersion: 1, change: 1, deletedAt: 1 })
    .sort({ change: 1 })
    .limit(limit)
    .lean()
  return changed.map(withOwner)
}

function withOwner<T extends { _id: Types.ObjectId; ownerId: Types.ObjectId }>({ _id, ownerId, ...fields }: T) {
  return { ...fields, id: _id.toHexString(), ownerId: ownerId.toHexString() }
}

/** Returns the current jobs by their ids. */
export async function readJobs({ connection }: Queue, ids: string[]): Promise<JobRecord[]> {
  if (ids.length === 0) return []
  const jobs = await jobModel(connection)
    .find({ _id: { $in: ids.map(toObjectId) } }, recordFields)
    .lean<JobDocument[]>()
  return jobs.map(toJobRecord)
}

/**
 * Returns the number of the last change. Also reads the documents, because the counter of a restored backup may be older, and
 * raises the counter in that case.
 */
export async function findLastChange({ connection }: Queue): Promise<number> {
  const [counted, job, recording] = await Promise.all([
    readLastChange(connection),
    jobModel(connection).findOne({}, { change: 1 }).sort({ change: -1 }).lean(),
    recordingModel(connection).findOne({}, { change: 1 }).sort({ change: -1 }).lean(),
  ])
  const last = Math.max(counted, job?.change ?? 0, recording?.change ?? 0)
  if (last > counted) await raiseLastChange(connection, last)
  return last
}
