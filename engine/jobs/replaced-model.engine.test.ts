import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { newId } from '#data/ids.ts'
import { loadCheckpoints, saveCheckpoint } from '#data/jobs/checkpoints.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { readResult } from '#data/jobs/results.ts'
import { hashFile } from '#engine/models/content-hash.ts'
import { WindowResult } from '#engine/speech/window-result.ts'
import type { TestDatabase } from '#testing/database.ts'
import { makeJob, takeJob } from '#testing/jobs.ts'
import { copyToStore, storeDocument } from '#testing/recordings.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { countCheckpoints, readJob } from '#testing/stored-work.ts'
import { runJob, type RunnerContext } from './job-runner.ts'
import { keepModelsLoaded, type LoadedModels } from './loaded-models.ts'
import { openTestQueue } from './testing/job-queue.ts'
import { demoFiles, makeModelFolder } from './testing/model-folder.ts'
import { makeRunnerContext } from './testing/runner-context.ts'
import type { ModelFolder } from './testing/model-folder.ts'
import { watchModels } from './watch-models.ts'

const sampleCall = join(dirname(demoFiles.speech), 'sample-call.mp3')
const log = pino({ level: 'silent' })
let database: TestDatabase
let queue: Queue
let folder: ModelFolder
let loaded: LoadedModels
let context: RunnerContext
let audioDir: string

beforeAll(async () => {
  ;({ database, queue } = await openTestQueue())
})
afterAll(() => database.drop())

/** Sets up an engine with a separate model for Pashto. */
beforeEach(async () => {
  folder = await makeModelFolder()
  await folder.add('pashto', 'speech')
  await folder.copyDemo('speech', 'pashto')
  const watch = await watchModels({ ...folder.config, speechModelByLanguage: { ps: 'pashto' } }, log)
  loaded = keepModelsLoaded({ threads: 1, idleMs: 60_000 })
  audioDir = await temporaryFolder()
  context = await makeRunnerContext({
    queue,
    loaded,
    audioDir,
    modelsDir: folder.dir,
    refreshModels: watch.refresh,
  })
})
afterEach(async () => {
  await loaded.close()
  await folder.remove()
})

/** Enqueues a job to transcribe the sample call. */
async function makeTranscription(language: 'ps' | 'en') {
  const [recordingId, ownerId] = [newId(), newId()]
  await copyToStore(sampleCall, audioDir, recordingId)
  await storeDocument(database.connection, { id: recordingId, ownerId, extension: 'mp3', durationMs: 31_000 })
  const params = { kind: 'transcribe' as const, language, channelLanguages: null, names: [] }
  return makeJob(queue, { ownerId, recordingId, params, workKey: `transcribe:${recordingId}` })
}

async function run(): Promise<void> {
  await runJob(context, await takeJob(queue), new AbortController().signal)
}

async function waitForWindow(jobId: string) {
  await vi.waitFor(async () => expect(await countCheckpoints(queue, jobId)).toBeGreaterThan(0), {
    timeout: 60_000,
    interval: 20,
  })
}

/** Marks the text of every finished window. */
async function markFinished(jobId: string): Promise<void> {
  for (const part of (await loadCheckpoints(queue, jobId)).values()) {
    const window = WindowResult.parse(part)
    const lines = window.lines.map((line) => ({ ...line, text: `${line.text}|` }))
    await saveCheckpoint(queue, jobId, window.key, { ...window, lines })
  }
}

/** Replaces the weights with others of the same shape, atomically as an import does, and returns their hash. */
async function replaceModel(): Promise<string> {
  const weights = await readFile(demoFiles.speech)
  weights.writeUInt8((weights.at(-1) ?? 0) ^ 1, weights.length - 1)
  await writeFile(folder.path('new'), weights)
  await rename(folder.path('new'), folder.path('pashto'))
  return (await hashFile(folder.path('pashto'), {})).sha256
}

async function readTranscription({ id, ownerId }: { id: string; ownerId: string }) {
  return readResult(queue, ownerId, id, 'transcribe')
}

test('a model that is replaced during a job produces all of its text', async () => {
  const { sha256: before } = await hashFile(folder.path('pashto'), {})
  const job = await makeTranscription('ps')
  const running = run()
  await waitForWindow(job.id)
  await markFinished(job.id)
  const after = await replaceModel()
  await running

  const result = await readTranscription(job)
  expect(after).not.toBe(before)
  expect(result?.provenance).toMatchObject([{ model_id: 'pashto', model_name: 'Model pashto', model_hash: after }])
  expect(result?.segments.length).toBeGreaterThan(0)
  expect(result?.transcription).not.toContain('|')
}, 120_000)

test('a model that is replaced between two jobs produces the text of the second, although the first is still loaded', async () => {
  const { sha256: before } = await hashFile(folder.path('pashto'), {})
  const first = await makeTranscription('ps')
  await run()
  expect((await readTranscription(first))?.provenance).toMatchObject([
    { model_hash: before, engine: 'whisper.cpp', engine_version: '1.9.3', settings: { languages: ['ps'] } },
  ])
  const after = await replaceModel()
  const second = await makeTranscription('ps')
  await run()
  expect((await readTranscription(second))?.provenance).toMatchObject([{ model_hash: after }])
}, 120_000)

test('a model that is removed during a job fails it with a message, and other languages still work', async () => {
  const job = await makeTranscription('ps')
  const running = run()
  await waitForWindow(job.id)
  await rm(folder.path('pashto'))
  await running
  expect(await readJob(queue, job.id)).toMatchObject({
    state: 'failed',
    attempt: 1,
    error: { code: 'model_unavailable', error: 'The model Model pashto is not installed.' },
  })

  const english = await makeTranscription('en')
  await run()
  expect((await readTranscription(english))?.provenance).toMatchObject([{ model_id: 'demo-speech' }])
}, 120_000)
