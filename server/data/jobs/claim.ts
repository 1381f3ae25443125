import { Types, type PipelineStage } from 'mongoose'
import { nextChange } from '../change-counter.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { withoutResult, type JobDocument, type JobRecord } from './job-model.ts'
import type { LeasedJob } from './lease.ts'
import type { Queue } from './queue.ts'

/** A waiting job as an engine sees it that looks for work. */
export type WaitingJob = Pick<JobDocument, '_id' | 'kind' | 'params' | 'rank' | 'recordingId' | 'passedOver'>

/** What an engine looks for. By default it takes every job in its turn. */
export interface JobChoice {
  /** Whether the engine can do a job; others are left for other engines. */
  canRun?: (job: WaitingJob) => boolean
  /** Whether the model that a job needs is in memory. */
  isModelLoaded?: (job: WaitingJob) => boolean
}

/**
 * How far a loaded model may change the order: a job is passed over at most so many times, and by jobs that were to come at most so many
 * turns later.
 */
const maxPassedOver = 4
/** Only short work passes others over: it is for short work that loading a model counts, and nobody waits long for it. */
const maxShortMs = 2 * 60_000
/** Waiting jobs looked at first; more only where an engine can do none of them. */
const headSize = 50

/**
 * Takes a waiting job that the engine can do, or null: the one whose turn it is, fair between users, or before it a short one whose model
 * is loaded. One atomic write: two engines never take the same one.
 */
export async function claimJob(queue: Queue, engineId: string, choice: JobChoice = {}): Promise<LeasedJob | null> {
  const waiting = await findRunnable(queue, choice.canRun ?? (() => true))
  const [first] = waiting
  if (!first) return null
  const change = await nextChange(queue.connection)
  const preferred = await findPreferred(queue, waiting, choice)
  if (preferred) {
    const job = await lease(queue, engineId, preferred.job, change)
    if (job) await countPassedOver(queue, preferred.passed)
    if (job) return job
  }
  for (const candidate of waiting) {
    const job = await lease(queue, engineId, candidate, change)
    if (job) return job
  }
  return null
}

async function findRunnable(queue: Queue, canRun: (job: WaitingJob) => boolean): Promise<WaitingJob[]> {
  const head = await findWaiting(queue, headSize)
  const runnable = head.filter(canRun)
  if (runnable.length > 0 || head.length < headSize) return runnable
  return (await findWaiting(queue, queue.limits.maxQueued)).filter(canRun)
}

function findWaiting(queue: Queue, limit: number): Promise<WaitingJob[]> {
  return queue.jobs
    .find({ state: 'queued' }, { kind: 1, params: 1, rank: 1, recordingId: 1, passedOver: 1 })
    .sort({ rank: 1, _id: 1 })
    .limit(limit)
    .lean<WaitingJob[]>()
}

/** The first short job whose model is loaded, with those it would pass over; undefined where it is its turn anyway, or may not. */
async function findPreferred(
  queue: Queue,
  waiting: WaitingJob[],
  { isModelLoaded }: JobChoice,
): Promise<{ job: WaitingJob; passed: WaitingJob[] } | undefined> {
  const [first] = waiting
  if (!first || !isModelLoaded || isModelLoaded(first)) return undefined
  const soon = waiting.filter(({ rank }) => rank <= first.rank + maxPassedOver)
  const blockedAt = soon.findIndex(({ passedOver = 0 }) => passedOver >= maxPassedOver)
  // Whatever stands behind a job that was passed over often enough waits for it.
  const candidates = (blockedAt === -1 ? soon : soon.slice(0, blockedAt)).filter(isModelLoaded)
  const job = await findShort(queue, candidates)
  return job && { job, passed: waiting.slice(0, waiting.indexOf(job)) }
}

/** The first of these jobs that takes little time: a text, or a recording of at most two minutes. */
async function findShort(queue: Queue, jobs: WaitingJob[]): Promise<WaitingJob | undefined> {
  const recordingIds = jobs.flatMap(({ recordingId }) => recordingId ?? [])
  const found =
    recordingIds.length === 0
      ? []
      : await recordingModel(queue.connection)
          .find({ _id: { $in: recordingIds } }, { durationMs: 1 })
          .lean()
  const durations = new Map(found.map(({ _id, durationMs }) => [_id.toHexString(), durationMs]))
  return jobs.find(({ recordingId }) => (durations.get(recordingId?.toHexString() ?? '') ?? 0) <= maxShortMs)
}

/** Null where another engine was faster. */
async function lease(queue: Queue, engineId: string, { _id }: WaitingJob, change: number): Promise<LeasedJob | null> {
  const leaseId = new Types.ObjectId()
  const update: PipelineStage.Set[] = [
    {
      $set: {
        state: 'running',
        leaseId: { $literal: leaseId },
        leaseUntil: { $add: ['$$NOW', queue.limits.leaseMs] },
        engineId: { $literal: engineId },
        attempt: { $add: ['$attempt', 1] },
        startedAt: { $ifNull: ['$startedAt', '$$NOW'] },
        version: { $add: ['$version', 1] },
        change,
      },
    },
  ]
  const job = await queue.jobs
    .findOneAndUpdate({ _id, state: 'queued' }, update, {
      projection: withoutResult,
      returnDocument: 'after',
      updatePipeline: true,
    })
    .lean<JobRecord>()
  return job && { ...job, leaseId }
}

async function countPassedOver(queue: Queue, passed: WaitingJob[]): Promise<void> {
  const ids = passed.map(({ _id }) => _id)
  await queue.jobs.updateMany({ _id: { $in: ids }, state: 'queued' }, { $inc: { passedOver: 1 } })
}
