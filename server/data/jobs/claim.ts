import type { PipelineStage } from 'mongoose'
import { nextChange } from '../change-counter.ts'
import { isDatabaseUnavailable } from '../database-errors.ts'
import { newId, toObjectId } from '../ids.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { attemptStart } from './attempts.ts'
import { waitingJobs } from './hold.ts'
import { jobModel, type JobDocument } from './job-model.ts'
import { recordFields, toJobRecord, type JobRecord } from './job-record.ts'
import { releaseJob, type LeasedJob } from './lease.ts'
import type { Queue } from './queue.ts'

/** The fields of a waiting job by which an engine chooses. */
export type WaitingJob = Pick<JobRecord, 'id' | 'kind' | 'params' | 'rank' | 'recordingId' | 'passedOver'>

/** Which jobs an engine takes. By default, it takes every job in turn. */
export interface JobChoice {
  /** Returns whether the engine can do a job; others are left for other engines. */
  canRun?: (job: WaitingJob) => boolean
  /** Returns whether the model needed by a job is in memory. */
  isModelLoaded?: (job: WaitingJob) => boolean
}

/** How many times jobs whose model is loaded may overtake a job. */
const maxSkips = 4
/** By how many ranks a job may be ahead of its turn when it overtakes others. */
const maxRankLead = 4
/** Only short jobs overtake others: for them, loading a model matters most, and they delay the others only briefly. */
const maxShortMs = 2 * 60_000
/** Number of waiting jobs read first; more are read only if the engine can do none of them. */
const headSize = 50

/**
 * Leases a waiting job that the engine can do: the one whose turn it is, fair between users, or ahead of it a short one whose model is
 * loaded. Returns null where there is none. The lease is one atomic write: two engines never take the same job.
 */
export async function claimJob(queue: Queue, engineId: string, choice: JobChoice = {}): Promise<LeasedJob | null> {
  await releaseUnconfirmed(queue)
  const waiting = await findRunnable(queue, choice.canRun ?? (() => true))
  const [first] = waiting
  if (!first) return null
  const change = await nextChange(queue.connection)
  const preferred = await findPreferred(queue, waiting, choice)
  if (preferred) {
    const job = await acquireLease(queue, engineId, preferred.job, change)
    if (job) await countPassedOver(queue, preferred.passed)
    if (job) return job
  }
  for (const candidate of waiting) {
    const job = await acquireLease(queue, engineId, candidate, change)
    if (job) return job
  }
  return null
}

/** Requeues jobs that a claim with a lost reply may have taken: otherwise they would be stuck until their leases expire. */
async function releaseUnconfirmed(queue: Queue): Promise<void> {
  for (const lease of queue.unconfirmedLeases) {
    await releaseJob(queue, lease)
    queue.unconfirmedLeases.delete(lease)
  }
}

async function findRunnable(queue: Queue, canRun: (job: WaitingJob) => boolean): Promise<WaitingJob[]> {
  const head = await findWaiting(queue, headSize)
  const runnable = head.filter(canRun)
  if (runnable.length > 0 || head.length < headSize) return runnable
  return (await findWaiting(queue, queue.limits.maxQueued)).filter(canRun)
}

type WaitingFields = Pick<JobDocument, '_id' | 'kind' | 'params' | 'rank' | 'recordingId' | 'passedOver'>

async function findWaiting({ connection }: Queue, limit: number): Promise<WaitingJob[]> {
  const waiting = await jobModel(connection)
    .find(waitingJobs, { kind: 1, params: 1, rank: 1, recordingId: 1, passedOver: 1 })
    .sort({ rank: 1, _id: 1 })
    .limit(limit)
    .lean<WaitingFields[]>()
  return waiting.map(({ _id, recordingId, ...fields }) => {
    return { ...fields, id: _id.toHexString(), recordingId: recordingId?.toHexString() ?? null }
  })
}

/**
 * Returns the first short job whose model is loaded, with the jobs it would overtake; undefined where it is next anyway or may not
 * overtake.
 */
async function findPreferred(
  queue: Queue,
  waiting: WaitingJob[],
  { isModelLoaded }: JobChoice,
): Promise<{ job: WaitingJob; passed: WaitingJob[] } | undefined> {
  const [first] = waiting
  if (!first || !isModelLoaded || isModelLoaded(first)) return undefined
  const soon = waiting.filter(({ rank }) => rank <= first.rank + maxRankLead)
  const blockedAt = soon.findIndex(({ passedOver = 0 }) => passedOver >= maxSkips)
  // No job overtakes one that has been overtaken the maximum number of times.
  const candidates = (blockedAt === -1 ? soon : soon.slice(0, blockedAt)).filter(isModelLoaded)
  const job = await findShort(queue, candidates)
  return job && { job, passed: waiting.slice(0, waiting.indexOf(job)) }
}

/** Returns the first of the jobs that takes little time: a text, or a recording of at most two minutes. */
async function findShort(queue: Queue, jobs: WaitingJob[]): Promise<WaitingJob | undefined> {
  const recordingIds = jobs.flatMap(({ recordingId }) => recordingId ?? [])
  const found =
    recordingIds.length === 0
      ? []
      : await recordingModel(queue.connection)
          .find({ _id: { $in: recordingIds.map(toObjectId) } }, { durationMs: 1 })
          .lean()
  const durations = new Map(found.map(({ _id, durationMs }) => [_id.toHexString(), durationMs]))
  return jobs.find(({ recordingId }) => (durations.get(recordingId ?? '') ?? 0) <= maxShortMs)
}

/** Leases a job. Returns null where another engine was faster. */
async function acquireLease(
  queue: Queue,
  engineId: string,
  { id }: WaitingJob,
  change: number,
): Promise<LeasedJob | null> {
  const leaseId = newId()
  const update: PipelineStage.Set[] = [
    {
      $set: {
        state: 'running',
        leaseId: { $literal: toObjectId(leaseId) },
        leaseUntil: { $add: ['$$NOW', queue.limits.leaseMs] },
        engineId: { $literal: engineId },
        attempt: { $add: ['$attempt', 1] },
        startedAt: { $ifNull: ['$startedAt', '$$NOW'] },
        ...attemptStart(engineId),
        version: { $add: ['$version', 1] },
        change,
      },
    },
  ]
  const job = await jobModel(queue.connection)
    .findOneAndUpdate({ _id: toObjectId(id), ...waitingJobs }, update, {
      projection: recordFields,
      returnDocument: 'after',
      updatePipeline: true,
    })
    .lean<JobDocument>()
    .catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) queue.unconfirmedLeases.add({ id, leaseId })
      throw error
    })
  return job && { ...toJobRecord(job), leaseId }
}

async function countPassedOver(queue: Queue, passed: WaitingJob[]): Promise<void> {
  const ids = passed.map(({ id }) => toObjectId(id))
  await jobModel(queue.connection).updateMany({ _id: { $in: ids }, state: 'queued' }, { $inc: { passedOver: 1 } })
}
