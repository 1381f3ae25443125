import { jobModel, type JobDocument } from './job-model.ts'
import { recordFields, toJobRecord, type JobRecord } from './job-record.ts'
import type { Queue } from './queue.ts'

/** Claims and returns an ended job whose owner no server has notified yet; null where there is none. */
export async function claimEndedJob({ connection }: Queue): Promise<JobRecord | null> {
  const job = await jobModel(connection)
    .findOneAndUpdate(
      { notifyOwner: true, state: { $in: ['done', 'failed', 'cancelled'] } },
      { $unset: { notifyOwner: 1 } },
      { projection: recordFields },
    )
    .lean<JobDocument>()
  return job && toJobRecord(job)
}
