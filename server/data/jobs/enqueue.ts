import { Types } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import { nextChange } from '../change-counter.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import { isDuplicateKey } from '../model.ts'
import { waitingJobs } from './hold.ts'
import { jobModel, type JobDocument } from './job-model.ts'
import type { NewJobParams } from './job-params.ts'
import { recordFields, toJobRecord, type JobRecord } from './job-record.ts'
import type { Queue } from './queue.ts'

export interface NewJob {
  ownerId: string
  recordingId: string | null
  params: NewJobParams
  /** Equal for requests of one owner for the same work, such as `transcribe:<recording>:ps`. */
  workKey: string
  targetLanguage?: string
  /** The batch that it belongs to; the owner is notified of the batch's end instead of the job's. */
  batchId?: string
}

/**
 * Adds a job to the queue, or returns the queued or running job of the same owner and key: two equal simultaneous requests create
 * one job. Throws `too_many_jobs` where the owner already has too many waiting jobs, `queue_full` where all users together do.
 *
 * `rank` is start-time fair queueing: a job's rank is one more than the greater of its owner's last rank and the last rank
 * served. Users take turns however many jobs each sends at once, and a latecomer does not wait for anyone's backlog. A user's batches
 * take turns with the jobs the user requests individually, which never wait for a whole batch.
 */
export async function enqueueJob(queue: Queue, job: NewJob): Promise<{ job: JobRecord; isNew: boolean }> {
  const key = ownedKey(job.ownerId, job.workKey)
  // Simultaneous requests of one owner would all find the same capacity and the same rank.
  return queue.runExclusive(job.ownerId, async () => {
    const active = await findByActiveKey(queue, key)
    if (active) return { job: active, isNew: false }
    await assertCapacity(queue, job.ownerId)
    const document = await toJobDocument(queue, job, key)
    try {
      await jobModel(queue.connection).create(document)
      return { job: toJobRecord(document), isNew: true }
    } catch (error) {
      const joined = isDuplicateKey(error) ? await findByActiveKey(queue, key) : null
      if (joined) return { job: joined, isNew: false }
      throw error
    }
  })
}

async function toJobDocument(queue: Queue, job: NewJob, key: string): Promise<JobDocument> {
  return {
    _id: new Types.ObjectId(),
    ownerId: toObjectId(job.ownerId),
    recordingId: job.recordingId === null ? null : toObjectId(job.recordingId),
    kind: job.params.kind,
    state: 'queued',
    params: job.params,
    workKey: key,
    activeKey: key,
    ...(job.batchId !== undefined && { batchId: toObjectId(job.batchId) }),
    ...(job.recordingId !== null && job.batchId === undefined && { notifyOwner: true as const }),
    rank: await nextRank(queue, job),
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

/** Returns the last finished job of a work key, or null: a repeated request is answered with its result. */
export async function findFinishedJob(queue: Queue, ownerId: string, workKey: string): Promise<JobRecord | null> {
  const job = await jobModel(queue.connection)
    .findOne({ ownerId: toObjectId(ownerId), workKey: ownedKey(ownerId, workKey), state: 'done' }, recordFields)
    .sort({ finishedAt: -1 })
    .lean<JobDocument>()
  return job && toJobRecord(job)
}

/** Returns whether a job does the work of a key. */
export function hasWorkKey(job: Pick<JobRecord, 'ownerId' | 'workKey'>, workKey: string): boolean {
  return job.workKey === ownedKey(job.ownerId, workKey)
}

/** Returns the queued or running job of a work key, or null. */
export async function findActiveJob(queue: Queue, ownerId: string, workKey: string): Promise<JobRecord | null> {
  return findByActiveKey(queue, ownedKey(ownerId, workKey))
}

/** Returns the position of a job in the queue, 1 for the next; null if it is not waiting. */
export async function readQueuePosition(
  { connection }: Queue,
  job: Pick<JobRecord, 'id' | 'state' | 'rank'>,
): Promise<number | null> {
  if (job.state !== 'queued') return null
  const jobs = jobModel(connection)
  const [earlier, tied] = await Promise.all([
    jobs.countDocuments({ ...waitingJobs, rank: { $lt: job.rank } }),
    jobs.countDocuments({ ...waitingJobs, rank: job.rank, _id: { $lt: toObjectId(job.id) } }),
  ])
  return earlier + tied + 1
}

/** Returns the position of every waiting job by its id, 1 for the next, in one query. */
export async function readQueuePositions(queue: Queue): Promise<Map<string, number>> {
  const jobs = await jobModel(queue.connection)
    .find(waitingJobs, { _id: 1 })
    .sort({ rank: 1, _id: 1 })
    .limit(queue.limits.maxQueued)
    .lean()
  return new Map(jobs.map(({ _id }, index) => [_id.toHexString(), index + 1]))
}

function ownedKey(ownerId: string, workKey: string): string {
  return `${ownerId}:${workKey}`
}

async function findByActiveKey({ connection }: Queue, activeKey: string): Promise<JobRecord | null> {
  const job = await jobModel(connection).findOne({ activeKey }, recordFields).lean<JobDocument>()
  return job && toJobRecord(job)
}

async function assertCapacity(queue: Queue, ownerId: string) {
  const jobs = jobModel(queue.connection)
  const [all, own] = await Promise.all([
    jobs.countDocuments(waitingJobs),
    jobs.countDocuments({ ownerId: toObjectId(ownerId), ...waitingJobs }),
  ])
  if (own >= queue.limits.maxQueuedPerUser) throw tooManyJobsError(queue)
  if (all >= queue.limits.maxQueued) {
    throw new AppError('queue_full', 'More work is waiting in this system than it takes', {
      help: 'Nothing is lost of what waits already. Please try again in a few minutes.',
    })
  }
}

function tooManyJobsError({ limits }: Queue) {
  return new AppError(
    'too_many_jobs',
    `You have ${limits.maxQueuedPerUser} pieces of work waiting, the most one person may have`,
    { help: 'Wait until some of it is done, or cancel what you do not need, then try again.' },
  )
}

async function nextRank({ connection }: Queue, { ownerId, batchId }: NewJob): Promise<number> {
  const jobs = jobModel(connection)
  // Jobs start in rank order, so the highest rank that started is the last; times would be wrong after a clock change.
  const served = await jobs
    .findOne({ startedAt: { $gt: new Date(0) } }, { rank: 1 })
    .sort({ rank: -1 })
    .lean()
  const lastServed = served?.rank ?? 0
  const own = await jobs
    .findOne(
      { ownerId: toObjectId(ownerId), rank: { $gt: lastServed }, batchId: { $exists: batchId !== undefined } },
      { rank: 1 },
    )
    .sort({ rank: -1 })
    .lean()
  return (own?.rank ?? lastServed) + 1
}
