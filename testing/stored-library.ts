import { randomBytes } from 'node:crypto'
import type { RecordingState } from '#contract/library.ts'
import { raiseLastChange, readLastChange } from '#data/change-counter.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { jobModel, type JobDocument } from '#data/jobs/job-model.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { insertEntries, toEntry } from '#data/library/entries.ts'
import { recordingModel, type RecordingDocument } from '#data/recordings/recording-model.ts'
import { toRecordingRecord } from '#data/recordings/recording-record.ts'

const perWrite = 200
const resultBytes = 20_000
const places = ['Harbour', 'Market', 'Bridge', 'دفتر', 'بندر', 'Station']
const languages = [['ps'], ['ur'], ['en'], ['ps', 'ur'], ['fa']]
const tags = [[], ['urgent'], ['harbour'], ['urgent', 'second reading']]
const states: RecordingState[] = ['done', 'done', 'done', 'done', 'done', 'done', 'done', 'failed', 'new', 'new']
const firstUploadMs = Date.parse('2025-01-01T00:00:00Z')
const hourMs = 3_600_000

/** Stores an owner's recordings as years of work leave them: most are transcribed, with jobs and library entries. */
export async function storeLibrary(queue: Queue, ownerId: string, count: number): Promise<void> {
  // The size of a few minutes of talk: what a list reads of a job must not depend on its result.
  const result = randomBytes(resultBytes)
  for (let from = 0; from < count; from += perWrite) {
    const indexes = Array.from({ length: Math.min(perWrite, count - from) }, (_, at) => from + at)
    const change = await readLastChange(queue.connection)
    await raiseLastChange(queue.connection, change + perWrite)
    const recordings = indexes.map((index, at) => makeRecording(ownerId, index, change + at + 1))
    await recordingModel(queue.connection).insertMany(recordings, { lean: true })
    const jobs = recordings.flatMap((recording, at) => makeJob(recording, indexes[at] ?? 0, result))
    await jobModel(queue.connection).insertMany(jobs, { lean: true })
    await insertEntries(
      queue.connection,
      recordings.map((recording, at) => toListed(recording, indexes[at] ?? 0)),
    )
  }
}

function pick<Item>(items: Item[], index: number): Item {
  const item = items[(index * 7) % items.length]
  if (item === undefined) throw new Error('There is nothing to pick from')
  return item
}

function makeRecording(ownerId: string, index: number, change: number): RecordingDocument {
  const peaks = Array.from({ length: 50 }, (_, bar) => ((bar * 37 + index) % 100) / 100)
  return {
    _id: toObjectId(newId()),
    ownerId: toObjectId(ownerId),
    name: `${pick(places, index)} call ${(index * 7919) % 100_003}.wav`,
    extension: 'wav',
    sizeBytes: 5_000_000,
    sha256: `${index}`.padStart(64, '0'),
    durationMs: ((index * 31) % 3600) * 1000,
    channels: 2,
    isStereo: true,
    peaks: [peaks, peaks],
    tags: pick(tags, index),
    createdAt: new Date(firstUploadMs + index * hourMs),
    version: 1,
    change,
    deletedAt: null,
  }
}

function makeJob(
  { _id: recordingId, ownerId, createdAt, change }: RecordingDocument,
  index: number,
  result: Uint8Array,
): JobDocument[] {
  const state = pick(states, index)
  if (state === 'new') return []
  const isDone = state === 'done'
  return [
    {
      _id: toObjectId(newId()),
      ownerId,
      recordingId,
      kind: 'transcribe',
      state: isDone ? 'done' : 'failed',
      params: { kind: 'transcribe', language: 'ps', channelLanguages: null },
      workKey: `${ownerId.toHexString()}:${recordingId.toHexString()}`,
      rank: index,
      attempt: 1,
      leaseId: null,
      leaseUntil: null,
      engineId: null,
      progress: null,
      text: null,
      error: isDone ? null : { error: 'No speech was found', code: 'internal' },
      result: isDone ? result : null,
      languages: isDone ? pick(languages, index) : [],
      targetLanguage: null,
      version: 1,
      change,
      createdAt,
      startedAt: createdAt,
      finishedAt: createdAt,
    },
  ]
}

function toListed(recording: RecordingDocument, index: number) {
  const state = pick(states, index)
  const hits = { threats: index % 11 === 0 ? index % 5 : 0, sentiment: index % 3, intent: index % 4, custom: 0 }
  return toEntry(
    toRecordingRecord(recording),
    { state, languages: state === 'done' ? pick(languages, index) : [] },
    {
      hits: state === 'done' ? hits : { ...hits, threats: 0, sentiment: 0, intent: 0 },
      countedText: 'counted',
      countedKeywords: 'counted',
    },
  )
}
