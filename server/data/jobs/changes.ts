import type { Connection, Types } from 'mongoose'
import { raiseLastChange, readLastChange } from '../change-counter.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { withoutResult, type JobRecord } from './job-model.ts'
import type { Queue } from './queue.ts'

/** That a job was written, and no more: who wants to know how it is now reads it. */
export type JobChange = Pick<JobRecord, '_id' | 'ownerId' | 'state' | 'version' | 'change'>

export interface RecordingChange {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  version: number
  change: number
  deletedAt: Date | null
}

/** More than are written in the time a look reaches back. */
const maxChanges = 20_000

/** Jobs written after a change, oldest first. */
export async function findChangedJobs(queue: Queue, after: number): Promise<JobChange[]> {
  return queue.jobs
    .find({ change: { $gt: after } }, { ownerId: 1, state: 1, version: 1, change: 1 })
    .sort({ change: 1 })
    .limit(maxChanges)
    .lean<JobChange[]>()
}

/** Recordings written after a change, deleted ones included, oldest first. */
export async function findChangedRecordings(connection: Connection, after: number): Promise<RecordingChange[]> {
  return recordingModel(connection)
    .find({ change: { $gt: after } }, { ownerId: 1, version: 1, change: 1, deletedAt: 1 })
    .sort({ change: 1 })
    .limit(maxChanges)
    .lean<RecordingChange[]>()
}

/** Jobs as they are now, without results. */
export async function readJobs(queue: Queue, ids: Types.ObjectId[]): Promise<JobRecord[]> {
  if (ids.length === 0) return []
  return queue.jobs.find({ _id: { $in: ids } }, withoutResult).lean<JobRecord[]>()
}

/**
 * Where a reader of changes begins: the last change, less those that may be on their way. Looks at the documents themselves too, because
 * the counter of a backup that was brought back may be older than they are.
 */
export async function findLastChange(queue: Queue): Promise<number> {
  const [counted, job, recording] = await Promise.all([
    readLastChange(queue.connection),
    queue.jobs.findOne({}, { change: 1 }).sort({ change: -1 }).lean(),
    recordingModel(queue.connection).findOne({}, { change: 1 }).sort({ change: -1 }).lean(),
  ])
  const last = Math.max(counted, job?.change ?? 0, recording?.change ?? 0)
  if (last > counted) await raiseLastChange(queue.connection, last)
  return last
}
