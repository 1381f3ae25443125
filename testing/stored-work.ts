import type { JobKind, JobState } from '#contract/entities/job.ts'
import { nextChange } from '#data/change-counter.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { checkpointModel } from '#data/jobs/checkpoint-model.ts'
import { jobModel, type JobDocument } from '#data/jobs/job-model.ts'
import { toJobRecord, type JobRecord } from '#data/jobs/job-record.ts'
import type { NewJob } from '#data/jobs/enqueue.ts'
import { packJson } from '#data/jobs/packed-json.ts'
import { progressModel } from '#data/jobs/progress-model.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { summaryOf } from '#data/jobs/transcription-summary.ts'
import { sourceModel } from '#data/jobs/source-model.ts'
import { noteModel, type NoteOwner } from '#data/notes/notes.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'

/** Queries and changes of stored jobs that only tests need. */

/** Returns a job of any owner; null if it was deleted. */
export async function readJob({ connection }: Queue, id: string): Promise<JobRecord | null> {
  const job = await jobModel(connection).findById(toObjectId(id), { result: 0, summary: 0 }).lean<JobDocument>()
  return job && toJobRecord(job)
}

/** Stores a job that is already done, so that no engine takes it. Returns its id. */
export async function storeFinishedJob(
  { connection }: Queue,
  { id = newId(), ...job }: NewJob & { id?: string; outcome: { result: object; languages: string[] } },
): Promise<string> {
  const now = await readDatabaseTime(connection)
  await jobModel(connection).create({
    _id: toObjectId(id),
    ownerId: toObjectId(job.ownerId),
    recordingId: job.recordingId === null ? null : toObjectId(job.recordingId),
    kind: job.params.kind,
    state: 'done',
    params: job.params,
    workKey: `${job.ownerId}:${job.workKey}`,
    rank: 0,
    attempt: 1,
    result: await packJson(job.outcome.result),
    summary: summaryOf(job.params.kind, job.outcome.result),
    languages: job.outcome.languages,
    targetLanguage: job.targetLanguage ?? null,
    version: 1,
    change: await nextChange(connection),
    createdAt: now,
    startedAt: now,
    finishedAt: now,
  })
  return id
}

interface JobFilter {
  ids?: string[]
  ownerId?: string
  kind?: JobKind
  state?: JobState
}

/** Returns jobs, oldest first. */
export async function listJobs(
  { connection }: Queue,
  { ids, ownerId, ...filter }: JobFilter = {},
): Promise<JobRecord[]> {
  const jobs = await jobModel(connection)
    .find(
      {
        ...filter,
        ...(ids && { _id: { $in: ids.map(toObjectId) } }),
        ...(ownerId !== undefined && { ownerId: toObjectId(ownerId) }),
      },
      { result: 0, summary: 0 },
    )
    .sort({ _id: 1 })
    .lean<JobDocument[]>()
  return jobs.map(toJobRecord)
}

export async function countJobs(queue: Queue, filter: JobFilter = {}): Promise<number> {
  return (await listJobs(queue, filter)).length
}

/** Changes stored fields of a job directly. */
export async function patchJob({ connection }: Queue, id: string, fields: Partial<StoredFields>): Promise<void> {
  await jobModel(connection).updateOne({ _id: toObjectId(id) }, { $set: fields })
}

type StoredFields = Pick<
  JobDocument,
  | 'state'
  | 'createdAt'
  | 'finishedAt'
  | 'passedOver'
  | 'params'
  | 'leaseUntil'
  | 'error'
  | 'result'
  | 'summary'
  | 'startedAt'
>

/** Returns how many jobs are done without a result. */
export async function countDoneWithoutResult({ connection }: Queue): Promise<number> {
  return jobModel(connection).countDocuments({ state: 'done', result: null })
}

/** Returns how many jobs were ever passed over. */
export async function countPassedOver({ connection }: Queue): Promise<number> {
  // Counted here because no index serves such a filter.
  const jobs = await jobModel(connection).find({}, { passedOver: 1 }).lean()
  return jobs.filter(({ passedOver }) => passedOver !== undefined).length
}

export async function deleteAllJobs({ connection }: Queue): Promise<void> {
  await jobModel(connection).deleteMany({})
}

export async function countCheckpoints({ connection }: Queue, jobId: string): Promise<number> {
  return checkpointModel(connection).countDocuments({ jobId: toObjectId(jobId) })
}

/** Returns the stored changes to a job's text, in order. */
export async function listTextChanges({ connection }: Queue, jobId: string): Promise<unknown[]> {
  const found = await progressModel(connection)
    .find({ jobId: toObjectId(jobId) })
    .sort({ sequence: 1 })
    .lean()
  return found.map(({ change }) => change)
}

/** Returns the ids of stored texts and transcriptions, oldest first. */
export async function listSources({ connection }: Queue, filter: { ownerId?: string } = {}): Promise<string[]> {
  const owner = filter.ownerId === undefined ? {} : { ownerId: toObjectId(filter.ownerId) }
  const sources = await sourceModel(connection).find(owner, { _id: 1 }).sort({ _id: 1 }).lean()
  return sources.map(({ _id }) => _id.toHexString())
}

/** Sets the time when a text was last sent. */
export async function setSourceUsedAt({ connection }: Queue, id: string, usedAt: Date): Promise<void> {
  await sourceModel(connection).updateOne({ _id: toObjectId(id) }, { usedAt })
}

/** Sets the time when a recording was uploaded. */
export async function setRecordingCreatedAt({ connection }: Queue, id: string, createdAt: Date): Promise<void> {
  await recordingModel(connection).updateOne({ _id: toObjectId(id) }, { createdAt })
}

/** Stores notes without text at the start of a recording. */
export async function fillWithNotes({ connection }: Queue, owner: NoteOwner, count: number): Promise<void> {
  const now = new Date()
  const ids = { ownerId: toObjectId(owner.ownerId), recordingId: toObjectId(owner.recordingId) }
  const note = { ...ids, timeMs: 0, text: '', createdAt: now, updatedAt: now }
  await noteModel(connection).insertMany(Array.from({ length: count }, () => note))
}
