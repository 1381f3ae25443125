import { Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { JobKind } from '#contract/entities/job.ts'
import { userModel } from '#data/users/user-model.ts'
import { cancelJob, removeJobs } from '#data/jobs/cancel.ts'
import { enqueueJob, findFinishedJob, findRunningJob, type NewJob } from '#data/jobs/enqueue.ts'
import type { JobRecord } from '#data/jobs/job-model.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readResult, type ResultOf } from '#data/jobs/results.ts'
import type { AppContext } from '#server/http/context.ts'
import { hasEnded, waitForJob } from './wait-for-job.ts'
import type { WorkServices } from '../work/services.ts'

/**
 * Gives work to the engines. A repeat joins what is queued or running, and is answered by what is finished; `isForced` cancels and
 * starts over.
 */
export async function startWork(
  { queue, ring }: Pick<WorkServices, 'queue' | 'ring'>,
  work: NewJob,
  { isForced }: { isForced: boolean },
): Promise<JobRecord> {
  if (isForced) {
    const running = await findRunningJob(queue, work.ownerId, work.workKey)
    if (running) await cancelJob(queue, work.ownerId, running._id)
  } else {
    const finished = await findFinishedJob(queue, work.ownerId, work.workKey)
    if (finished && (await readResult(queue, finished.ownerId, finished._id, finished.kind))) return finished
  }
  const { job, isNew } = await enqueueJob(queue, work)
  if (isNew) {
    await assertOwnerIsActive(queue, work)
    await ring()
  }
  return job
}

/**
 * Takes back work of a user who was deactivated or deleted while the request was under way. Who does that first closes the account
 * and then ends its work, so one of the two finds the job.
 */
async function assertOwnerIsActive(queue: Queue, { ownerId, params }: NewJob): Promise<void> {
  if (await userModel(queue.connection).exists({ _id: ownerId, isActive: true })) return
  await removeJobs(queue, { ownerId, state: { $in: ['queued', 'running'] } })
  if (params.kind === 'translate' && params.sourceId) {
    await queue.sources.deleteOne({ ownerId, _id: toObjectId(params.sourceId) })
  }
  throw new AppError('session_expired', 'Token has expired')
}

/**
 * Answers a call for long work: at once with 202 and the job's id where the caller sent `Prefer: respond-async` (RFC 7240), else
 * with the result when the job is done. A caller who leaves does not stop the job.
 */
export async function answerWork<Kind extends JobKind>(
  services: WorkServices,
  ctx: AppContext,
  job: JobRecord,
  kind: Kind,
): Promise<ResultOf<Kind> | { job_id: string }> {
  if (prefersAsync(ctx)) {
    ctx.status = 202
    ctx.set('Preference-Applied', 'respond-async')
    return { job_id: job._id.toHexString() }
  }
  const ended = hasEnded(job) ? job : await waitForJob(services, job, whenGone(ctx))
  if (ended.state !== 'done') throw toFailure(ended)
  const result = await readResult(services.queue, ended.ownerId, ended._id, kind)
  if (!result) throw new AppError('job_cancelled', 'The recording was deleted while it was worked on')
  return result
}

/** Aborts when the caller closes the connection. */
export function whenGone(ctx: AppContext): AbortSignal {
  const controller = new AbortController()
  ctx.res.once('close', () => controller.abort())
  if (ctx.res.destroyed) controller.abort()
  return controller.signal
}

/** The id of a user or a path as the database writes it. */
export function toObjectId(id: string): Types.ObjectId {
  return Types.ObjectId.createFromHexString(id)
}

function prefersAsync(ctx: AppContext): boolean {
  return ctx
    .get('Prefer')
    .split(',')
    .some((preference) => preference.split(';')[0]?.trim().toLowerCase() === 'respond-async')
}

/** Failures the caller can do something about keep their code; the others are `job_failed`. */
const toldAsTheyAre: readonly ErrorCode[] = ['unsupported_language', 'unsupported_pair', 'model_unavailable']

function toFailure(job: JobRecord): AppError {
  if (job.state === 'cancelled') return new AppError('job_cancelled', 'The work was cancelled')
  const error = job.error ?? { code: 'job_failed' as const, error: 'The work failed', help: undefined }
  const code = toldAsTheyAre.includes(error.code) ? error.code : 'job_failed'
  return new AppError(code, error.error, { help: error.help })
}
