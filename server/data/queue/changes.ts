import type { Connection, Types } from 'mongoose'
import { recordingModel } from '../recordings/recording-model.ts'
import { withoutResult, type JobRecord } from './job-model.ts'
import type { Queue } from './queue.ts'

export interface RecordingChange {
  _id: Types.ObjectId
  ownerId: Types.ObjectId
  version: number
  changedAt: Date
  deletedAt: Date | null
}

/** Jobs written after a moment, oldest first: one look at one index. At most 1,000. */
export async function findChangedJobs(queue: Queue, after: Date): Promise<JobRecord[]> {
  return queue.jobs
    .find({ changedAt: { $gt: after } }, withoutResult)
    .sort({ changedAt: 1 })
    .limit(1_000)
    .lean<JobRecord[]>()
}

/** Recordings written after a moment, deleted ones included, oldest first: one look at one index. At most 1,000. */
export async function findChangedRecordings(connection: Connection, after: Date): Promise<RecordingChange[]> {
  return recordingModel(connection)
    .find({ changedAt: { $gt: after } }, { ownerId: 1, version: 1, changedAt: 1, deletedAt: 1 })
    .sort({ changedAt: 1 })
    .limit(1_000)
    .lean<RecordingChange[]>()
}
