import { AppError } from '#contract/app-error.ts'
import { hasEnded, type JobRecord } from '#data/jobs/job-record.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { findJob } from '#data/jobs/results.ts'
import type { JobFeed } from './job-feed.ts'

/** A deleted job causes no change: its existence is checked at this interval. */
const checkIntervalMs = 5_000

/** Resolves with a job once it has ended in any way. Rejects with `job_cancelled` when it is deleted, or with the signal's reason. */
export async function waitForJob(
  { queue, feed }: { queue: Queue; feed: JobFeed },
  job: Pick<JobRecord, 'id' | 'ownerId'>,
  signal: AbortSignal,
): Promise<JobRecord> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<JobRecord>()
  const settle = (found: JobRecord) => {
    if (hasEnded(found)) resolve(found)
  }
  const onChange = (changed: JobRecord) => {
    if (changed.id === job.id) settle(changed)
  }
  const onAbort = () => reject(signal.reason)
  const check = () => findExisting(queue, job.ownerId, job.id).then(settle, reject)
  // Listening begins before the first check, so that an end in between is not missed.
  const unsubscribe = feed.listen({ ownerId: job.ownerId, onJob: onChange })
  const timer = setInterval(check, checkIntervalMs)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await check()
    // What happened before the feed started is not announced.
    void feed.started().then(check)
    return await promise
  } finally {
    unsubscribe()
    clearInterval(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

async function findExisting(queue: Queue, ownerId: string, id: string): Promise<JobRecord> {
  const job = await findJob(queue, ownerId, id)
  if (!job) throw new AppError('job_cancelled', 'The recording was deleted while it was worked on')
  return job
}
