import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DiarizationResult } from '#contract/entities/job.ts'
import type { TranscriptionProgress } from '#contract/transcription.ts'
import { newId } from '#data/ids.ts'
import { openDiskStore } from '#data/audio-store/disk-store.ts'
import { JobParams, type NewJobParams } from '#data/jobs/job-params.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { writeMonoCall, type SampleLine } from '#engine/speech/testing/sample-call.ts'
import type { TestDatabase } from '#testing/database.ts'
import { finishNextJob, makeJob, takeJob } from '#testing/jobs.ts'
import { copyToStore, storeDocument } from '#testing/recordings.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { makeTranscription } from '#testing/work.ts'
import { patchJob } from '#testing/stored-work.ts'
import { handleDiarize } from './diarize.ts'
import type { JobTask, JobContext } from './job-task.ts'
import { openTestQueue } from './testing/job-queue.ts'

let recordingId: string
let ownerId: string
let database: TestDatabase
let queue: Queue
let context: JobContext
let workDir: string
let lines: SampleLine[]

beforeAll(async () => {
  ;({ database, queue } = await openTestQueue())
})
afterAll(() => database.drop())

/** Stores a recording with both voices of the sample call on one channel. */
beforeEach(async () => {
  recordingId = newId()
  ownerId = newId()
  const folder = await temporaryFolder()
  const audioStore = await openDiskStore(join(folder, 'audio'))
  workDir = join(folder, 'job')
  await mkdir(workDir)
  const mono = await writeMonoCall(workDir)
  lines = mono.lines
  await copyToStore(mono.path, join(folder, 'audio'), recordingId)
  await storeDocument(database.connection, { id: recordingId, ownerId, durationMs: 31_000 })
  context = { queue, audioStore, maxAudioMs: 3_600_000, log: pino({ level: 'silent' }) } as JobContext // all that it needs without a model
})

async function diarize(params: NewJobParams, report: JobTask['report'] = () => undefined): Promise<DiarizationResult> {
  await makeJob(queue, { ownerId, recordingId, params })
  const job = await takeJob(queue)
  const parsed = JobParams.parse(job.params)
  if (parsed.kind !== 'diarize') throw new Error('another job was claimed')
  const { result } = await handleDiarize(context, {
    job,
    params: parsed,
    workDir,
    report,
    signal: new AbortController().signal,
  })
  return result as DiarizationResult // what the handler for this kind returns
}

test('separates the voices of one channel, without words', async () => {
  const seen: TranscriptionProgress[] = []
  const params = { kind: 'diarize', hasText: false, language: 'ps', speakerCount: 2 } as const
  const dialogue = await diarize(params, (progress) => seen.push(progress as TranscriptionProgress))
  expect(dialogue.num_speakers).toBe(2)
  expect(dialogue.dialogue_timeline.map(({ speaker }) => speaker)).toEqual(lines.map(({ speaker }) => speaker))
  for (const [index, { start }] of lines.entries()) {
    expect(Math.abs((dialogue.dialogue_timeline[index]?.timestamp ?? 0) - start)).toBeLessThan(0.3)
  }
  const shares = seen.map(({ current_segment }) => current_segment)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  expect(shares.at(-1)).toBe(100)
})

test('uses the words and speakers of the transcription with the requested number of speakers', async () => {
  const transcription = { kind: 'transcribe', language: 'ps', channelLanguages: null } as const
  const result = makeTranscription()
  const other = { ...result, segments: result.segments.map((segment) => ({ ...segment, text: 'other' })) }
  await makeJob(queue, { ownerId, recordingId, params: { ...transcription, speakerCount: 2 } })
  const { id } = await finishNextJob(queue, { ...result, transcription_id: null })
  await patchJob(queue, id, { finishedAt: new Date(0) })
  await makeJob(queue, { ownerId, recordingId, params: transcription })
  await finishNextJob(queue, other)
  const dialogue = await diarize({ kind: 'diarize', hasText: true, language: 'ps', speakerCount: 2 })
  expect(dialogue.dialogue_timeline).toEqual(
    result.segments.map(({ speaker, start, text }) => ({ speaker, timestamp: start, text })),
  )
})
