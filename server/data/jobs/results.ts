import type { Types } from 'mongoose'
import type { z } from 'zod'
import { DiarizationResult, type JobKind } from '#contract/entities/job.ts'
import { TranscriptionResult } from '#contract/transcription.ts'
import { TranslationResult } from '#contract/translation.ts'
import { readDatabaseTime } from '../database-time.ts'
import { withoutResult, type JobDocument, type JobRecord } from './job-model.ts'
import { toBytes, unpackJson } from './packed-json.ts'
import type { Queue } from './queue.ts'

const schemas = {
  transcribe: TranscriptionResult,
  translate: TranslationResult,
  diarize: DiarizationResult,
} as const satisfies Record<JobKind, z.ZodType>

export type ResultOf<Kind extends JobKind> = z.infer<(typeof schemas)[Kind]>

/** A job of this owner without its result, or null. */
export async function findJob(queue: Queue, ownerId: Types.ObjectId, id: Types.ObjectId): Promise<JobRecord | null> {
  return queue.jobs.findOne({ _id: id, ownerId }, withoutResult).lean<JobRecord>()
}

/**
 * The result of a finished job of this owner, or null. `transcription_id` of a transcription is its job's id, so every reader sees
 * the same one.
 */
export async function readResult<Kind extends JobKind>(
  queue: Queue,
  ownerId: Types.ObjectId,
  id: Types.ObjectId,
  kind: Kind,
): Promise<ResultOf<Kind> | null> {
  const job = await queue.jobs.findOne({ _id: id, ownerId, kind, state: 'done' }, { result: 1 }).lean()
  return job?.result ? parseResult(kind, job.result) : null
}

/** The finished and the open jobs of some recordings, newest first, without results. At most 10,000. */
export async function listJobsOfRecordings(
  queue: Queue,
  ownerId: Types.ObjectId,
  recordingIds: Types.ObjectId[],
): Promise<JobRecord[]> {
  return queue.jobs
    .find({ ownerId, recordingId: { $in: recordingIds } }, withoutResult)
    .sort({ finishedAt: -1, _id: -1 })
    .limit(10_000)
    .lean<JobRecord[]>()
}

/** The latest finished job of a kind among jobs that come newest first, as listJobsOfRecordings gives them. */
export function latestDone(jobs: JobRecord[], kind: JobRecord['kind']): JobRecord | undefined {
  return jobs.find((job) => job.kind === kind && job.state === 'done')
}

/** Jobs that ended so recently are told with those at work. */
const recentMs = 60_000

/** The waiting and running jobs of an owner, and those that ended in the last minute by the database's clock; at most 500, newest first. */
export async function listRecentJobs(queue: Queue, ownerId: Types.ObjectId): Promise<JobRecord[]> {
  const now = (await readDatabaseTime(queue.connection)).getTime()
  const [open, ended] = await Promise.all([
    queue.jobs
      .find({ ownerId, state: { $in: ['queued', 'running'] } }, withoutResult)
      .sort({ _id: -1 })
      .limit(250)
      .lean<JobRecord[]>(),
    queue.jobs
      // An end in the future is one of before the clock was set.
      .find({ ownerId, finishedAt: { $gt: new Date(now - recentMs), $lt: new Date(now + recentMs) } }, withoutResult)
      .sort({ finishedAt: -1 })
      .limit(250)
      .lean<JobRecord[]>(),
  ])
  return [...open, ...ended]
}

/** The languages heard and written in all finished work of an owner. */
export async function listLanguages(queue: Queue, ownerId: Types.ObjectId): Promise<string[]> {
  const jobs = await queue.jobs.find({ ownerId, state: 'done' }, { languages: 1 }).limit(100_000).lean()
  return [...new Set(jobs.flatMap((job) => job.languages))]
}

/** Null for what an older version stored and this one cannot read: it counts as not there, so that a repeat makes it anew. */
async function parseResult<Kind extends JobKind>(
  kind: Kind,
  packed: NonNullable<JobDocument['result']>,
): Promise<ResultOf<Kind> | null> {
  const value = await unpackJson(toBytes(packed)).catch(() => undefined)
  const parsed = schemas[kind].safeParse(value)
  return parsed.success ? (parsed.data as ResultOf<Kind>) : null // the schema of this very kind parsed it
}

/** Throws where a result is none that its readers can read: such a job must not count as done. */
export function assertReadable(kind: JobKind, result: object): void {
  schemas[kind].parse(result)
}
