import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { newId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { cancelJob } from '#data/jobs/cancel.ts'
import { loadCheckpoints, saveCheckpoint } from '#data/jobs/checkpoints.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { readResult } from '#data/jobs/results.ts'
import { saveSource } from '#data/jobs/translation-source.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import { WindowResult } from '#engine/speech/window-result.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { finishNextJob, makeJob } from '#testing/jobs.ts'
import { startTestEngine } from '#testing/engine.ts'
import { startEngineProcess } from '#testing/processes.ts'
import { makeTranscription as makeTranscriptionResult } from '#testing/work.ts'
import { countCheckpoints, readJob } from '#testing/stored-work.ts'

const sampleCall = join(import.meta.dirname, '../models/demo/sample-call.mp3')
const ownerId = newId()
let database: TestDatabase
let queue: Queue
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-engine-'))
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** Starts an engine in its own process, for a test that terminates it with a signal. */
async function startProcess() {
  const engine = await startEngineProcess({ dataDir, database })
  onTestFinished(() => engine.end('SIGKILL'))
  return engine
}

async function startEngine() {
  const engine = await startTestEngine({ connection: database.connection, dataDir })
  onTestFinished(() => engine.stop())
}

/** Stores a recording and enqueues a job to transcribe it. */
async function makeTranscription() {
  const id = newId()
  const folder = join(dataDir, 'audio', id.slice(-2))
  await mkdir(folder, { recursive: true })
  await copyFile(sampleCall, join(folder, `${id}.mp3`))
  const facts = { name: 'call.mp3', extension: 'mp3', sizeBytes: 1, sha256: 'none', durationMs: 1, channels: 2 }
  await insertRecording(database.connection, { id, ownerId, ...facts, isStereo: true, peaks: [] })
  const params = {
    kind: 'transcribe' as const,
    language: 'ps' as const,
    channelLanguages: ['ps' as const, 'en' as const],
    names: [],
  }
  return makeJob(queue, { ownerId, recordingId: id, params, workKey: `transcribe:${id}` })
}

async function waitForState(id: string, state: string) {
  await vi.waitFor(async () => expect(await readJob(queue, id)).toMatchObject({ state }), {
    timeout: 150_000,
    interval: 50,
  })
}

async function readText(id: string) {
  const result = await readResult(queue, ownerId, id, 'transcribe')
  return result?.segments.map(({ start, speaker, text }) => ({ start, speaker, text }))
}

/** Marks every saved window, so that the result shows which windows were reused and which were transcribed again. */
async function markCheckpoints(jobId: string) {
  const saved = [...(await loadCheckpoints(queue, jobId)).values()].map((part) => WindowResult.parse(part))
  for (const window of saved) {
    const lines = window.lines.map((line) => ({ ...line, text: `${line.text}|` }))
    await saveCheckpoint(queue, jobId, window.key, { ...window, lines })
  }
  return saved.flatMap((window) => window.lines).length
}

test('a job whose engine is killed completes after a restart with the same text, without transcribing finished windows again', async () => {
  const killed = await startProcess()
  const undisturbed = await makeTranscription()
  await waitForState(undisturbed.id, 'done')
  const job = await makeTranscription()
  await vi.waitFor(async () => expect(await countCheckpoints(queue, job.id)).toBeGreaterThan(2), {
    timeout: 60_000,
    interval: 20,
  })
  await killed.end('SIGKILL')
  const finished = await markCheckpoints(job.id)
  const killedAt = Date.now()
  await startEngine()
  await waitForState(job.id, 'running')
  expect(Date.now() - killedAt).toBeLessThan(15_000)
  await waitForState(job.id, 'done')
  const text = await readText(job.id)
  expect(text?.filter((segment) => segment.text.endsWith('|'))).toHaveLength(finished)
  expect(text?.map((segment) => ({ ...segment, text: segment.text.replace('|', '') }))).toEqual(
    await readText(undisturbed.id),
  )
  expect(await readJob(queue, job.id)).toMatchObject({ attempt: 2 })
}, 240_000)

test('an engine that is signalled to stop releases its job without counting the attempt', async () => {
  const engine = await startProcess()
  const job = await makeTranscription()
  await waitForState(job.id, 'running')
  await engine.end('SIGTERM')
  expect(await readJob(queue, job.id)).toMatchObject({ state: 'queued', attempt: 0, leaseId: null })
  expect(await database.connection.collection('engines').countDocuments({ host: hostname(), pid: engine.pid })).toBe(0)
  await cancelJob(queue, ownerId, job.id)
})

test('cancelling a job stops it and starts the next one', async () => {
  await startEngine()
  const job = await makeTranscription()
  await waitForState(job.id, 'running')
  await cancelJob(queue, ownerId, job.id)
  const sourceId = await saveSource(queue, { ownerId, recordingId: null }, { kind: 'text', text: 'سلام زما ملګریه' })
  const next = await makeJob(queue, {
    ownerId,
    params: {
      kind: 'translate',
      sourceId: sourceId,
      transcriptionId: null,
      sourceLanguage: 'ps',
      targetLanguage: 'en',
      context: null,
    },
  })
  await waitForState(next.id, 'done')
  expect(await readResult(queue, ownerId, next.id, 'translate')).toMatchObject({ translated_text: 'hello my friend' })
  expect(await readJob(queue, job.id)).toMatchObject({ state: 'cancelled' })
})

test('an unreadable file fails its job at the first attempt with a message', async () => {
  await startEngine()
  const id = newId()
  const facts = { name: 'missing.mp3', extension: 'mp3', sizeBytes: 1, sha256: 'none', durationMs: 1, channels: 1 }
  await insertRecording(database.connection, { id, ownerId, ...facts, isStereo: false, peaks: [] })
  const params = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null, names: [] }
  const job = await makeJob(queue, { ownerId, recordingId: id, params })
  await waitForState(job.id, 'failed')
  expect(await readJob(queue, job.id)).toMatchObject({ attempt: 1, error: { code: 'unreadable_audio' } })
})

test('a diarization uses the words of the finished transcription in its languages, regardless of name hints', async () => {
  const recordingId = newId()
  const params = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null, names: ['Ahmad'] }
  await makeJob(queue, { ownerId, recordingId, params })
  const transcription = makeTranscriptionResult()
  await finishNextJob(queue, transcription)
  await startEngine()
  const job = await makeJob(queue, { ownerId, recordingId })
  await waitForState(job.id, 'done')
  const dialogue = await readResult(queue, ownerId, job.id, 'diarize')
  expect(dialogue?.dialogue_timeline.map(({ text }) => text)).toEqual(transcription.segments.map(({ text }) => text))
})
