import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { JobKind } from '#contract/entities/job.ts'
import { cancelJob, removeJobs } from '#data/jobs/cancel.ts'
import { enqueueJob, findActiveJob, findFinishedJob, type NewJob } from '#data/jobs/enqueue.ts'
import { hasEnded, type JobRecord } from '#data/jobs/job-record.ts'
import type { JobResult } from '#data/jobs/packed-result.ts'
import { findJob, readResult } from '#data/jobs/results.ts'
import { removeSource } from '#data/jobs/translation-source.ts'
import type { AppContext } from '#server/http/context.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import type { TakeTurn } from '#server/http/heavy-turns.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { JobsDeps } from './deps.ts'
import type { JobFeed } from './job-feed.ts'

/** Deleting a job triggers no change event, so its existence is checked at this interval. */
const checkIntervalMs = 5_000

/**
 * Resolves with a job once it has ended, whatever the outcome. Rejects with `job_cancelled` if it is deleted, or with the signal's reason.
 */
async function waitForJob(
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
  // Starts listening before the first check, so that an end in between is not missed.
  const unsubscribe = feed.listen({ ownerId: job.ownerId, onJob: onChange })
  const timer = setInterval(check, checkIntervalMs)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await check()
    // Anything that happened before the feed started is not announced.
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

/**
 * Enqueues a job for the engines. A repeated request gets the job that is already queued, running or finished. `isForced` cancels an open
 * job and starts over; `isNewWork` joins an open job but ignores a finished one.
 */
export async function startJob(
  deps: Pick<JobsDeps, 'queue' | 'isUserActive' | 'notifyEngines'>,
  work: NewJob,
  { isForced, isNewWork = false }: { isForced: boolean; isNewWork?: boolean },
): Promise<JobRecord> {
  const { queue, notifyEngines } = deps
  if (isForced) {
    const active = await findActiveJob(queue, work.ownerId, work.workKey)
    if (active) await cancelJob(queue, work.ownerId, active.id)
  } else if (!isNewWork) {
    const finished = await findFinishedJob(queue, work.ownerId, work.workKey)
    if (finished && (await readResult(queue, finished.ownerId, finished.id, finished.kind))) return finished
  }
  const { job, isNew } = await enqueueJob(queue, work)
  if (isNew) {
    await assertOwnerIsActive(deps, work)
    notifyEngines()
  }
  return job
}

/**
 * Withdraws the job of a user who was deactivated or deleted while the request was running, and throws `session_expired`. Closing an
 * account deactivates it before ending its jobs, so the job is found either by that or by this check.
 */
async function assertOwnerIsActive(
  { queue, isUserActive }: Pick<JobsDeps, 'queue' | 'isUserActive'>,
  { ownerId, params }: NewJob,
): Promise<void> {
  if (await isUserActive(ownerId)) return
  await removeJobs(queue, { ownerId, isOpen: true })
  if (params.kind === 'translate' && params.sourceId) await removeSource(queue, ownerId, params.sourceId)
  throw new AppError('session_expired', 'Token has expired')
}

/**
 * Responds to a request for a job: immediately with 202 and the job's id if the caller sent `Prefer: respond-async` (RFC 7240), otherwise
 * with the result once the job is done, which is read when it is the caller's turn. A caller who disconnects does not stop the job.
 */
export async function respondWithJob<Kind extends JobKind>(
  deps: Pick<JobsDeps, 'queue' | 'feed'>,
  { ctx, takeTurn }: { ctx: AppContext; takeTurn: TakeTurn },
  job: JobRecord,
  kind: Kind,
): Promise<JobResult<Kind> | { job_id: string }> {
  if (prefersAsync(ctx)) {
    ctx.status = 202
    ctx.set('Preference-Applied', 'respond-async')
    return { job_id: job.id }
  }
  const ended = hasEnded(job) ? job : await waitForJob(deps, job, disconnectSignal(ctx))
  if (ended.state !== 'done') throw toFailure(ended)
  const result = await takeTurn(() => readResult(deps.queue, ended.ownerId, ended.id, kind))
  if (!result) throw new AppError('job_cancelled', 'The recording was deleted while it was worked on')
  return result
}

function prefersAsync(ctx: AppContext): boolean {
  return ctx
    .get('Prefer')
    .split(',')
    .some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async')
}

/** Codes of failures that the caller can act on; all others become `job_failed`. */
const passThroughCodes: readonly ErrorCode[] = ['unsupported_language', 'unsupported_pair', 'model_unavailable']

function toFailure(job: JobRecord): AppError {
  if (job.state === 'cancelled') return new AppError('job_cancelled', 'The work was cancelled')
  const error = job.error ?? { code: 'job_failed' as const, error: 'The work failed', help: undefined }
  const code = passThroughCodes.includes(error.code) ? error.code : 'job_failed'
  return new AppError(code, error.error, { help: error.help })
}
