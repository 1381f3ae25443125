import type { PossibleHit } from '#contract/possible-hits.ts'
import type { PipelineStage } from 'mongoose'
import { toErrorBody, type AppError } from '#contract/app-error.ts'
import type { ErrorBody } from '#contract/errors.ts'
import { nextChange } from '../change-counter.ts'
import { toObjectId } from '../ids.ts'
import { attemptEnd, type EndedAttempt } from './attempts.ts'
import { checkpointModel } from './checkpoint-model.ts'
import { jobModel } from './job-model.ts'
import type { JobRecord, TextPosition } from './job-record.ts'
import { packJson } from './packed-json.ts'
import { progressModel } from './progress-model.ts'
import type { LeaseKey, Queue } from './queue.ts'
import { summaryOf } from './transcription-summary.ts'

/** A job that an engine holds. Every write names `leaseId`: without the lease nothing is written. */
export type LeasedJob = JobRecord & { leaseId: string }

type Pipeline = PipelineStage.Set[] | (PipelineStage.Set | PipelineStage.Unset)[]

/** An ended job has its text in its result. */
const endFields = { finishedAt: '$$NOW', text: null }
const clearedLease = { leaseId: null, leaseUntil: null, engineId: null }

/** Extends the lease. Returns false if it is lost: the job was cancelled, deleted or taken over. */
export async function renewLease(queue: Queue, job: LeasedJob): Promise<boolean> {
  return updateIfHeld(queue, job, [{ $set: { leaseUntil: { $add: ['$$NOW', queue.limits.leaseMs] } } }])
}

/** Returns whether the lease is still held, without a write. */
export async function isLeaseHeld(queue: Queue, job: LeasedJob): Promise<boolean> {
  return (await jobModel(queue.connection).exists(heldBy(job))) !== null
}

/** Stores the job's progress and how much of its text can be read: see progress.ts. Returns false if the lease is lost. */
export async function writeProgress(
  queue: Queue,
  job: LeasedJob,
  progress: object,
  text: TextPosition,
): Promise<boolean> {
  const change = await nextChange(queue.connection)
  const storedText = { id: toObjectId(text.id), sequence: text.sequence }
  return updateIfHeld(queue, job, [
    { $set: { progress: { $literal: progress }, text: { $literal: storedText }, ...versionBump(change) } },
  ])
}

/**
 * Ends the job with its result, in one write. Returns false if the lease is lost: the result is dropped. When repeated because the
 * reply was lost, it returns false too, although the result is stored.
 */
export async function completeJob(
  queue: Queue,
  job: LeasedJob,
  outcome: { result: object; languages: string[]; possibleHits?: PossibleHit[]; models?: string[] },
): Promise<boolean> {
  const change = await nextChange(queue.connection)
  const summary = summaryOf(job.kind, outcome.result)
  const isDone = await updateIfHeld(queue, job, [
    {
      $set: {
        state: 'done',
        result: { $literal: await packJson(outcome.result) },
        languages: { $literal: outcome.languages },
        ...(summary && { summary: { $literal: summary } }),
        ...(outcome.possibleHits && { possibleHits: { $literal: outcome.possibleHits } }),
        error: null,
        ...attemptEnd(job.attempt, { outcome: 'done', ...(outcome.models && { models: outcome.models }) }),
        ...endFields,
        ...clearedLease,
        ...versionBump(change),
      },
    },
    { $unset: 'activeKey' },
  ])
  if (isDone) await removeCheckpointsAndProgress(queue, [job.id])
  else await removeCheckpointsOfEndedJob(queue, job)
  return isDone
}

/** Removes the checkpoints and progress of a job if it has ended: a write whose reply was lost may have ended it. */
export async function removeCheckpointsOfEndedJob(queue: Queue, job: LeasedJob): Promise<void> {
  if (await hasEnded(queue, job)) await removeCheckpointsAndProgress(queue, [job.id])
}

async function hasEnded({ connection }: Queue, { id }: LeasedJob): Promise<boolean> {
  const isEnded = { _id: toObjectId(id), state: { $in: ['done' as const, 'failed' as const, 'cancelled' as const] } }
  return (await jobModel(connection).exists(isEnded)) !== null
}

/**
 * Ends the attempt. `isFinal` means that a retry cannot help, as with a file that is not audio; otherwise the job returns to the
 * queue until its attempts are used up, keeping its checkpoints. `models` and `cause` are for administrators (attempts.ts).
 */
export async function failAttempt(
  queue: Queue,
  job: LeasedJob,
  error: AppError,
  { isFinal, ...about }: { isFinal: boolean } & Pick<EndedAttempt, 'models' | 'cause'>,
): Promise<boolean> {
  const body = toErrorBody(error)
  const isOver = isFinal || job.attempt >= queue.limits.maxAttempts
  const change = await nextChange(queue.connection)
  const end = attemptEnd(job.attempt, { outcome: 'failed', code: error.code, message: error.message, ...about })
  const update = isOver ? failUpdate(body, change, end) : requeueUpdate(body, change, end)
  const isWritten = await updateIfHeld(queue, job, update)
  if (isWritten && isOver) await removeCheckpointsAndProgress(queue, [job.id])
  return isWritten
}

/**
 * Returns a job to the queue, as when the engine is asked to stop or the database was unreachable: the attempt does not count.
 * When repeated because the reply was lost, it changes nothing and returns false.
 */
export async function releaseJob(queue: Queue, job: LeaseKey): Promise<boolean> {
  const change = await nextChange(queue.connection)
  return updateIfHeld(queue, job, [
    { $set: { state: 'queued', attempt: { $add: ['$attempt', -1] }, ...clearedLease, ...versionBump(change) } },
  ])
}

type AttemptEnd = ReturnType<typeof attemptEnd>

/** Returns the update that ends a job and its attempt as failed. */
export function failUpdate(error: ErrorBody, change: number, end: AttemptEnd): Pipeline {
  const ended = { state: 'failed', error: { $literal: error }, ...end, ...endFields }
  return [{ $set: { ...ended, ...clearedLease, ...versionBump(change) } }, { $unset: 'activeKey' }]
}

/** Returns the update that puts a job back into the queue after an attempt; `error` says why the attempt ended, if known. */
export function requeueUpdate(error: ErrorBody | null, change: number, end: AttemptEnd): Pipeline {
  return [{ $set: { state: 'queued', error: { $literal: error }, ...end, ...clearedLease, ...versionBump(change) } }]
}

/** Returns the update that cancels a job. */
export function cancellationUpdate(change: number): Pipeline {
  return [
    { $set: { state: 'cancelled', ...endFields, ...clearedLease, ...versionBump(change) } },
    { $unset: 'activeKey' },
  ]
}

function versionBump(change: number) {
  return { version: { $add: ['$version', 1] }, change }
}

/** Removes the checkpoints and the progress of jobs. */
export async function removeCheckpointsAndProgress({ connection }: Queue, jobIds: string[]): Promise<void> {
  const ofJobs = { jobId: { $in: jobIds.map(toObjectId) } }
  await Promise.all([checkpointModel(connection).deleteMany(ofJobs), progressModel(connection).deleteMany(ofJobs)])
}

async function updateIfHeld({ connection }: Queue, job: LeaseKey, update: Pipeline): Promise<boolean> {
  const { matchedCount } = await jobModel(connection).updateOne(heldBy(job), update, { updatePipeline: true })
  return matchedCount === 1
}

function heldBy({ id, leaseId }: LeaseKey) {
  return { _id: toObjectId(id), leaseId: toObjectId(leaseId), state: 'running' as const }
}
