import { Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { nextChange } from '../change-counter.ts'
import { isDuplicateKey } from '../model.ts'
import { readDatabaseTime } from '../database-time.ts'
import type { NewJobParams } from './job-params.ts'
import { withoutResult, type JobDocument, type JobRecord } from './job-model.ts'
import type { Queue } from './queue.ts'

export interface NewJob {
  ownerId: Types.ObjectId
  recordingId: Types.ObjectId | null
  params: NewJobParams
  /** What makes two requests the same work, without the owner: such as `transcribe:<recording>:ps`. */
  workKey: string
  targetLanguage?: string
}

/**
 * Puts work into the queue, or answers the queued or running job of the same owner and key: two equal requests at once make one
 * job. Throws `too_many_jobs` where the owner has too much waiting already, `queue_full` where everybody together has.
 *
 * `rank` is start-time fair queueing: a job's rank is one more than the greater of its owner's last rank and the rank served
 * last. Users take turns however many jobs each sends at once, and one who comes late waits for nobody's backlog.
 */
export async function enqueueJob(queue: Queue, job: NewJob): Promise<{ job: JobRecord; isNew: boolean }> {
  const key = ownedKey(job.ownerId, job.workKey)
  return inTurn(queue, job.ownerId, async () => {
    const running = await findActiveJob(queue, key)
    if (running) return { job: running, isNew: false }
    await refuseWhenFull(queue, job.ownerId)
    const document = await describeJob(queue, job, key)
    try {
      await queue.jobs.create(document)
      return { job: document, isNew: true }
    } catch (error) {
      const joined = isDuplicateKey(error) ? await findActiveJob(queue, key) : null
      if (joined) return { job: joined, isNew: false }
      throw error
    }
  })
}

async function describeJob(queue: Queue, job: NewJob, key: string): Promise<JobDocument> {
  return {
    _id: new Types.ObjectId(),
    ownerId: job.ownerId,
    recordingId: job.recordingId,
    kind: job.params.kind,
    state: 'queued',
    params: job.params,
    workKey: key,
    activeKey: key,
    rank: await nextRank(queue, job.ownerId),
    attempt: 0,
    leaseId: null,
    leaseUntil: null,
    engineId: null,
    progress: null,
    text: null,
    error: null,
    result: null,
    languages: [],
    targetLanguage: job.targetLanguage ?? null,
    version: 1,
    change: await nextChange(queue.connection),
    createdAt: await readDatabaseTime(queue.connection),
    startedAt: null,
    finishedAt: null,
  }
}

/** One after the other for each owner: requests at once would all find the same room and the same rank. */
async function inTurn<Result>({ turns }: Queue, ownerId: Types.ObjectId, task: () => Promise<Result>): Promise<Result> {
  const owner = ownerId.toHexString()
  const before = turns.get(owner)
  const { promise: turn, resolve: end } = Promise.withResolvers<void>()
  turns.set(owner, turn)
  try {
    await before
    return await task()
  } finally {
    if (turns.get(owner) === turn) turns.delete(owner)
    end()
  }
}

/** The last finished job of this work, or null: a repeat is answered with its result. */
export async function findFinishedJob(
  queue: Queue,
  ownerId: Types.ObjectId,
  workKey: string,
): Promise<JobRecord | null> {
  return queue.jobs
    .findOne({ ownerId, workKey: ownedKey(ownerId, workKey), state: 'done' }, withoutResult)
    .sort({ finishedAt: -1 })
    .lean<JobRecord>()
}

/** The queued or running job of this work, or null. */
export async function findRunningJob(
  queue: Queue,
  ownerId: Types.ObjectId,
  workKey: string,
): Promise<JobRecord | null> {
  return findActiveJob(queue, ownedKey(ownerId, workKey))
}

/** 1 for the job that is taken next; null when it does not wait. */
export async function readQueuePosition(
  queue: Queue,
  job: Pick<JobRecord, '_id' | 'state' | 'rank'>,
): Promise<number | null> {
  if (job.state !== 'queued') return null
  const [earlier, tied] = await Promise.all([
    queue.jobs.countDocuments({ state: 'queued', rank: { $lt: job.rank } }),
    queue.jobs.countDocuments({ state: 'queued', rank: job.rank, _id: { $lt: job._id } }),
  ])
  return earlier + tied + 1
}

/** The place of every waiting job, 1 for the one that is taken next: one question for all of them. */
export async function readQueuePlaces(queue: Queue): Promise<Map<string, number>> {
  const jobs = await queue.jobs
    .find({ state: 'queued' }, { _id: 1 })
    .sort({ rank: 1, _id: 1 })
    .limit(queue.limits.maxQueued)
    .lean()
  return new Map(jobs.map(({ _id }, index) => [_id.toHexString(), index + 1]))
}

function ownedKey(ownerId: Types.ObjectId, workKey: string): string {
  return `${ownerId.toHexString()}:${workKey}`
}

function findActiveJob(queue: Queue, activeKey: string) {
  return queue.jobs.findOne({ activeKey }, withoutResult).lean<JobRecord>()
}

async function refuseWhenFull(queue: Queue, ownerId: Types.ObjectId) {
  const [all, own] = await Promise.all([
    queue.jobs.countDocuments({ state: 'queued' }),
    queue.jobs.countDocuments({ ownerId, state: 'queued' }),
  ])
  if (own >= queue.limits.maxQueuedPerUser) throw tooManyJobs(queue)
  if (all >= queue.limits.maxQueued) {
    throw new AppError('queue_full', 'More work is waiting in this system than it takes', {
      help: 'Nothing is lost of what waits already. Please try again in a few minutes.',
    })
  }
}

function tooManyJobs({ limits }: Queue) {
  return new AppError(
    'too_many_jobs',
    `You have ${limits.maxQueuedPerUser} pieces of work waiting, the most one person may have`,
    { help: 'Wait until some of it is done, or cancel what you do not need, then try again.' },
  )
}

async function nextRank(queue: Queue, ownerId: Types.ObjectId): Promise<number> {
  const [own, served] = await Promise.all([
    queue.jobs.findOne({ ownerId }, { rank: 1 }).sort({ rank: -1 }).lean(),
    // Jobs are served in the order of their ranks, so the highest of those that began is the last; times would lie when a clock is set.
    queue.jobs
      .findOne({ startedAt: { $gt: new Date(0) } }, { rank: 1 })
      .sort({ rank: -1 })
      .lean(),
  ])
  return Math.max(own?.rank ?? 0, served?.rank ?? 0) + 1
}
