import type { Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { JobRecord } from '#data/jobs/job-model.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findJob } from '#data/jobs/results.ts'
import type { JobFeed } from './feed.ts'

/** A deleted job sends no change: it is looked for itself this often. */
const checkMs = 5_000

/** Resolves with a job once it has ended in any way. Fails with `job_cancelled` when it is deleted, or with the signal's reason. */
export async function waitForJob(
  { queue, feed }: { queue: Queue; feed: JobFeed },
  job: Pick<JobRecord, '_id' | 'ownerId'>,
  signal: AbortSignal,
): Promise<JobRecord> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<JobRecord>()
  const settle = (found: JobRecord) => {
    if (hasEnded(found)) resolve(found)
  }
  const onChange = (changed: JobRecord) => {
    if (changed._id.equals(job._id)) settle(changed)
  }
  const onAbort = () => reject(signal.reason)
  const check = () => findExisting(queue, job.ownerId, job._id).then(settle, reject)
  // Listening begins before the first look, so that an end in between is not missed.
  const stop = feed.listen({ ownerId: job.ownerId, onJob: onChange })
  const timer = setInterval(check, checkMs)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await check()
    return await promise
  } finally {
    stop()
    clearInterval(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

/** Whether nothing more will happen to a job. */
export function hasEnded(job: Pick<JobRecord, 'state'>): boolean {
  return job.state !== 'queued' && job.state !== 'running'
}

async function findExisting(queue: Queue, ownerId: Types.ObjectId, id: Types.ObjectId): Promise<JobRecord> {
  const job = await findJob(queue, ownerId, id)
  if (!job) throw new AppError('job_cancelled', 'The recording was deleted while it was worked on')
  return job
}
