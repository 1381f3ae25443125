import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { findJobHistory } from '#data/health/job-history.ts'
import { newId } from '#data/ids.ts'
import type { NewJobParams } from '#data/jobs/job-params.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readResult } from '#data/jobs/results.ts'
import type { TestDatabase } from '#testing/database.ts'
import { makeJob, takeJob } from '#testing/jobs.ts'
import { copyToStore, storeDocument } from '#testing/recordings.ts'
import { readJob } from '#testing/stored-work.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { runJob, type RunnerContext } from './job-runner.ts'
import { keepModelsLoaded, type LoadedModels } from './loaded-models.ts'
import { createProcessLog } from '#data/log/process-log.ts'
import { openTestQueue } from './testing/job-queue.ts'
import { demoFiles, makeModelFolder, type ModelFolder } from './testing/model-folder.ts'
import { makeRunnerContext } from './testing/runner-context.ts'
import { watchModels } from './watch-models.ts'

const sampleCall = join(dirname(demoFiles.speech), 'sample-call.mp3')
const log = pino({ level: 'silent' })
let database: TestDatabase
let queue: Queue
let folder: ModelFolder
let loaded: LoadedModels
let context: RunnerContext
let lines: Record<string, unknown>[]
let recording: { ownerId: string; recordingId: string }

beforeAll(async () => {
  ;({ database, queue } = await openTestQueue())
})
afterAll(() => database.drop())

beforeEach(async () => {
  folder = await makeModelFolder()
  await folder.add('other', 'speech')
  await folder.copyDemo('speech', 'other')
  const watch = await watchModels(folder.config, log)
  loaded = keepModelsLoaded({ threads: 1, idleMs: 60_000 })
  const audioDir = await temporaryFolder()
  recording = { ownerId: newId(), recordingId: newId() }
  await copyToStore(sampleCall, audioDir, recording.recordingId)
  await storeDocument(database.connection, {
    id: recording.recordingId,
    ownerId: recording.ownerId,
    extension: 'mp3',
    durationMs: 31_000,
  })
  context = await makeRunnerContext({
    queue,
    loaded,
    audioDir,
    modelsDir: folder.dir,
    refreshModels: watch.refresh,
  })
  lines = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) } // pino's
  context = { ...context, log: createProcessLog({ service: 'engine', level: 'debug', destination }).log }
})
afterEach(async () => {
  await loaded.close()
  await folder.remove()
})

async function run(params: NewJobParams) {
  const { id } = await makeJob(queue, { ...recording, params, workKey: newId() })
  await runJob(context, await takeJob(queue), new AbortController().signal)
  return { id, job: await readJob(queue, id) }
}

/** Returns the log messages, all of which must be about one of these jobs. */
function messagesAbout(...ids: string[]): unknown[] {
  expect(lines.filter(({ jobId }) => !ids.includes(String(jobId)))).toEqual([])
  return lines.map(({ msg }) => msg)
}

const readAttempts = async (id: string) => (await findJobHistory(database.connection, id))?.attempts

const languages = { language: 'ps' as const, channelLanguages: ['ps' as const, 'en' as const] }

test('a chosen model transcribes all channels, and its words are those of the dialogue', async () => {
  const { id } = await run({ kind: 'transcribe', ...languages, model: 'other' })
  const transcription = await readResult(queue, recording.ownerId, id, 'transcribe')
  expect(transcription).toMatchObject({ model: 'other', provenance: [{ model_id: 'other' }] })
  expect(await readAttempts(id)).toMatchObject([{ attempt: 1, outcome: 'done', models: ['other'] }])
  const steps = ['job began', 'model in use', 'window transcribed', 'job done']
  expect(messagesAbout(id)).toEqual(expect.arrayContaining(steps))
  const { id: dialogueId } = await run({ kind: 'diarize', hasText: true, ...languages, transcriptionId: id })
  const dialogue = await readResult(queue, recording.ownerId, dialogueId, 'diarize')
  expect(dialogue).toMatchObject({ transcription_id: id })
  expect(dialogue?.dialogue_timeline.map(({ text }) => text)).toEqual(transcription?.segments.map(({ text }) => text))
})

test('a chosen model that was removed meanwhile ends the job with the reason', async () => {
  const { id, job } = await run({ kind: 'transcribe', ...languages, model: 'removed' })
  expect(job).toMatchObject({ state: 'failed', error: { code: 'model_unavailable' } })
  const [attempt] = (await readAttempts(id)) ?? []
  expect(attempt).toMatchObject({ outcome: 'failed', code: 'model_unavailable', models: [] })
  expect(attempt).not.toHaveProperty('cause')
  expect(messagesAbout(id)).toEqual(['job began', 'attempt failed'])
})
