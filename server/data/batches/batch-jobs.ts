import { toObjectId } from '../ids.ts'
import { jobModel } from '../jobs/job-model.ts'
import type { Queue } from '../jobs/queue.ts'

/** Returns the ids of a batch's waiting jobs. */
export async function listWaitingJobs(
  { connection, limits }: Queue,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<string[]> {
  const waiting = await jobModel(connection)
    .find({ ownerId: toObjectId(ownerId), state: 'queued', batchId: toObjectId(id) }, { _id: 1 })
    .limit(limits.maxQueuedPerUser)
    .lean()
  return waiting.map(({ _id }) => _id.toHexString())
}

/** Returns the number of waiting jobs of all users. */
export async function countAllWaiting({ connection }: Queue): Promise<number> {
  return jobModel(connection).countDocuments({ state: 'queued' })
}
