import { nextChange } from '../change-counter.ts'
import { toObjectId } from '../ids.ts'
import { jobModel, type JobDocument } from './job-model.ts'
import type { Queue } from './queue.ts'

/** Matches jobs waiting for an engine, except those of removed recordings that can be restored. */
export const waitingJobs = { state: 'queued', isHeld: { $ne: true } } as const

/** Keeps engines from starting the open jobs of an owner's recordings; a running job continues. */
export async function holdJobs(queue: Queue, ownerId: string, recordingIds: string[]): Promise<void> {
  const changed = { filter: { isHeld: { $ne: true as const } }, update: { $set: { isHeld: true as const } } }
  await updateOpenJobs(queue, { ownerId, recordingIds }, changed)
}

/** Lets engines start the open jobs of an owner's recordings again. */
export async function releaseJobs(queue: Queue, ownerId: string, recordingIds: string[]): Promise<void> {
  const changed = { filter: { isHeld: true as const }, update: { $unset: { isHeld: 1 as const } } }
  await updateOpenJobs(queue, { ownerId, recordingIds }, changed)
}

/** What is written, and a filter for the jobs that differ. */
interface HoldChange {
  filter: { isHeld: true | { $ne: true } }
  update: { $set?: { isHeld: true }; $unset?: { isHeld: 1 } }
}

/** Finds the jobs among all open jobs of the owner, which are few: a recording's jobs come with megabytes of results. */
async function updateOpenJobs(
  { connection }: Queue,
  { ownerId, recordingIds }: { ownerId: string; recordingIds: string[] },
  { filter, update }: HoldChange,
): Promise<void> {
  const wanted = new Set(recordingIds)
  const isOpen = { ownerId: toObjectId(ownerId), state: { $in: ['queued' as const, 'running' as const] }, ...filter }
  const open = await jobModel(connection)
    .find(isOpen, { recordingId: 1 })
    .lean<Pick<JobDocument, '_id' | 'recordingId'>[]>()
  const ids = open.flatMap(({ _id, recordingId }) => (recordingId && wanted.has(recordingId.toHexString()) ? _id : []))
  if (ids.length === 0) return
  const change = await nextChange(connection)
  await jobModel(connection).updateMany(
    { _id: { $in: ids }, ...isOpen },
    { ...update, $set: { ...update.$set, change }, $inc: { version: 1 } },
  )
}
