import type { PipelineStage, Types } from 'mongoose'
import type { AppError } from '#contract/app-error.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { nextChange } from '../change-counter.ts'
import type { JobDocument, JobRecord, TextPosition } from './job-model.ts'
import { packJson } from './packed-json.ts'
import type { Queue } from './queue.ts'

/** A job in hand. Every write names `leaseId`: whoever lost the lease writes nothing. */
export type LeasedJob = JobRecord & { leaseId: Types.ObjectId }

type Pipeline = PipelineStage.Set[] | (PipelineStage.Set | PipelineStage.Unset)[]

/** A job that ended has its text in its result. */
const ended = { finishedAt: '$$NOW', text: null }
const unheld = { leaseId: null, leaseUntil: null, engineId: null }

/** Holds the job for another lease. False when it is ours no more: cancelled, deleted or taken over. */
export async function renewLease(queue: Queue, job: LeasedJob): Promise<boolean> {
  return write(queue, job, [{ $set: { leaseUntil: { $add: ['$$NOW', queue.limits.leaseMs] } } }])
}

/** Whether the job is still ours, which costs no write. */
export async function isLeaseHeld(queue: Queue, { _id, leaseId }: LeasedJob): Promise<boolean> {
  return (await queue.jobs.exists({ _id, leaseId, state: 'running' })) !== null
}

/** Shows how far the job is, and how much of its text there is to read. False when the lease is lost. See progress.ts. */
export async function writeProgress(
  queue: Queue,
  job: LeasedJob,
  progress: object,
  text: TextPosition,
): Promise<boolean> {
  const change = await nextChange(queue.connection)
  return write(queue, job, [{ $set: { progress: { $literal: progress }, text: { $literal: text }, ...grown(change) } }])
}

/** Ends the job with its result, in one write. False when the lease is lost: the result is dropped. */
export async function completeJob(
  queue: Queue,
  job: LeasedJob,
  outcome: { result: object; languages: string[] },
): Promise<boolean> {
  const change = await nextChange(queue.connection)
  const isDone = await write(queue, job, [
    {
      $set: {
        state: 'done',
        result: { $literal: await packJson(outcome.result) },
        languages: { $literal: outcome.languages },
        error: null,
        ...ended,
        ...unheld,
        ...grown(change),
      },
    },
    { $unset: 'activeKey' },
  ])
  if (isDone) await removeParts(queue, [job._id])
  return isDone
}

/**
 * Ends the attempt. `isFinal` means that trying again cannot help, as with a file that is no audio; otherwise the job goes back
 * into the queue until its attempts are used up, keeping its checkpoints.
 */
export async function failAttempt(
  queue: Queue,
  job: LeasedJob,
  error: AppError,
  { isFinal }: { isFinal: boolean },
): Promise<boolean> {
  const body = toErrorBody(error)
  const isOver = isFinal || job.attempt >= queue.limits.maxAttempts
  const change = await nextChange(queue.connection)
  const isWritten = await write(queue, job, isOver ? failing(body, change) : requeueing(body, change))
  if (isWritten && isOver) await removeParts(queue, [job._id])
  return isWritten
}

/** Gives a job back unharmed, as when the engine is asked to stop: the attempt does not count. */
export async function releaseJob(queue: Queue, job: LeasedJob): Promise<boolean> {
  const change = await nextChange(queue.connection)
  return write(queue, job, [
    { $set: { state: 'queued', attempt: { $add: ['$attempt', -1] }, ...unheld, ...grown(change) } },
  ])
}

/** The update that ends a job as failed. */
export function failing(error: ErrorBody, change: number): Pipeline {
  return [
    { $set: { state: 'failed', error: { $literal: error }, ...ended, ...unheld, ...grown(change) } },
    { $unset: 'activeKey' },
  ]
}

/** The update that puts a job back; `error` is why the attempt ended, if known. */
export function requeueing(error: ErrorBody | null, change: number): Pipeline {
  return [{ $set: { state: 'queued', error: { $literal: error }, ...unheld, ...grown(change) } }]
}

/** The update that cancels a job. */
export function cancellationUpdate(change: number): Pipeline {
  return [{ $set: { state: 'cancelled', ...ended, ...unheld, ...grown(change) } }, { $unset: 'activeKey' }]
}

function grown(change: number) {
  return { version: { $add: ['$version', 1] }, change }
}

/** What of an error is stored with a job and shown to its owner. */
export function toErrorBody(error: AppError): ErrorBody {
  return {
    error: error.message,
    code: error.code,
    ...(error.details && { details: error.details }),
    ...(error.help && { help: error.help }),
  }
}

/** Removes what was kept of jobs while they ran. */
export async function removeParts(queue: Queue, jobIds: Types.ObjectId[]): Promise<void> {
  const ofJobs = { jobId: { $in: jobIds } }
  await Promise.all([queue.checkpoints.deleteMany(ofJobs), queue.progress.deleteMany(ofJobs)])
}

async function write(queue: Queue, job: Pick<JobDocument, '_id' | 'leaseId'>, update: Pipeline): Promise<boolean> {
  const { matchedCount } = await queue.jobs.updateOne(
    { _id: job._id, leaseId: job.leaseId, state: 'running' },
    update,
    { updatePipeline: true },
  )
  return matchedCount === 1
}
