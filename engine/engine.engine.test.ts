import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Types } from 'mongoose'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ensureIndexes } from '#data/model.ts'
import { cancelJob } from '#data/jobs/cancel.ts'
import { loadCheckpoints } from '#data/jobs/checkpoints.ts'
import { packJson } from '#data/jobs/packed-json.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { readResult } from '#data/jobs/results.ts'
import { saveSource } from '#data/jobs/translation-source.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import { WindowResult } from '#engine/speech/window-result.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { finishNextJob, makeJob } from '#testing/jobs.ts'
import { startEngineProcess, type TestProcess } from '#testing/processes.ts'
import { makeTranscription as makeTranscriptionResult } from '#testing/work.ts'

const sampleCall = join(import.meta.dirname, '../models/demo/sample-call.mp3')
const ownerId = new Types.ObjectId()
let database: TestDatabase
let queue: Queue
let dataDir: string
let engine: TestProcess | undefined

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-engine-'))
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
})
afterEach(() => engine?.end('SIGKILL'))
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function startEngine() {
  engine = await startEngineProcess({ dataDir, database })
  return engine
}

/** A recording in the store and a job to transcribe it. */
async function makeTranscription() {
  const id = new Types.ObjectId()
  const folder = join(dataDir, 'audio', id.toHexString().slice(-2))
  await mkdir(folder, { recursive: true })
  await copyFile(sampleCall, join(folder, `${id.toHexString()}.mp3`))
  const facts = { name: 'call.mp3', extension: 'mp3', sizeBytes: 1, sha256: 'none', durationMs: 1, channels: 2 }
  await insertRecording(database.connection, { _id: id, ownerId, ...facts, isStereo: true, peaks: [] })
  const params = {
    kind: 'transcribe' as const,
    language: 'ps' as const,
    channelLanguages: ['ps' as const, 'en' as const],
    names: [],
  }
  return makeJob(queue, { ownerId, recordingId: id, params, workKey: `transcribe:${id.toHexString()}` })
}

async function waitForState(id: Types.ObjectId, state: string) {
  await vi.waitFor(async () => expect(await queue.jobs.findById(id, { state: 1 }).lean()).toMatchObject({ state }), {
    timeout: 150_000,
    interval: 200,
  })
}

async function readText(id: Types.ObjectId) {
  const result = await readResult(queue, ownerId, id, 'transcribe')
  return result?.segments.map(({ start, speaker, text }) => ({ start, speaker, text }))
}

/** Marks every saved window, so that the result shows which windows were taken over and which were heard again. */
async function markCheckpoints(jobId: Types.ObjectId) {
  const saved = [...(await loadCheckpoints(queue, jobId)).values()].map((part) => WindowResult.parse(part))
  for (const window of saved) {
    const lines = window.lines.map((line) => ({ ...line, text: `${line.text}|` }))
    const data = await packJson({ ...window, lines })
    await queue.checkpoints.updateOne({ jobId, key: window.key }, { $set: { data } })
  }
  return saved.flatMap((window) => window.lines).length
}

test('a job whose engine is killed ends after a restart with the same text, and hears no finished window again', async () => {
  await startEngine()
  const undisturbed = await makeTranscription()
  await waitForState(undisturbed._id, 'done')
  const job = await makeTranscription()
  await vi.waitFor(async () => expect(await queue.checkpoints.countDocuments({ jobId: job._id })).toBeGreaterThan(2), {
    timeout: 60_000,
    interval: 20,
  })
  await engine?.end('SIGKILL')
  const finished = await markCheckpoints(job._id)
  const killedAt = Date.now()
  await startEngine()
  await waitForState(job._id, 'running')
  expect(Date.now() - killedAt).toBeLessThan(15_000)
  await waitForState(job._id, 'done')
  const text = await readText(job._id)
  expect(text?.filter((segment) => segment.text.endsWith('|'))).toHaveLength(finished)
  expect(text?.map((segment) => ({ ...segment, text: segment.text.replace('|', '') }))).toEqual(
    await readText(undisturbed._id),
  )
  expect(await queue.jobs.findById(job._id).lean()).toMatchObject({ attempt: 2 })
}, 240_000)

test('an engine that is told to stop gives the job back, and its attempt', async () => {
  await startEngine()
  const job = await makeTranscription()
  await waitForState(job._id, 'running')
  await engine?.end('SIGTERM')
  expect(await queue.jobs.findById(job._id).lean()).toMatchObject({ state: 'queued', attempt: 0, leaseId: null })
  expect(await database.connection.collection('engines').countDocuments({ host: hostname(), pid: engine?.pid })).toBe(0)
  await cancelJob(queue, ownerId, job._id)
})

test('cancelling stops the work and the next job begins', async () => {
  await startEngine()
  const job = await makeTranscription()
  await waitForState(job._id, 'running')
  await cancelJob(queue, ownerId, job._id)
  const sourceId = await saveSource(queue, { ownerId, recordingId: null }, { kind: 'text', text: 'سلام زما ملګریه' })
  const next = await makeJob(queue, {
    ownerId,
    params: {
      kind: 'translate',
      sourceId: sourceId.toHexString(),
      transcriptionId: null,
      sourceLanguage: 'ps',
      targetLanguage: 'en',
      context: null,
    },
  })
  await waitForState(next._id, 'done')
  expect(await readResult(queue, ownerId, next._id, 'translate')).toMatchObject({ translated_text: 'hello my friend' })
  expect(await queue.jobs.findById(job._id).lean()).toMatchObject({ state: 'cancelled' })
})

test('a file that cannot be read ends its job at the first attempt with a sentence', async () => {
  await startEngine()
  const id = new Types.ObjectId()
  const facts = { name: 'gone.mp3', extension: 'mp3', sizeBytes: 1, sha256: 'none', durationMs: 1, channels: 1 }
  await insertRecording(database.connection, { _id: id, ownerId, ...facts, isStereo: false, peaks: [] })
  const params = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null, names: [] }
  const job = await makeJob(queue, { ownerId, recordingId: id, params })
  await waitForState(job._id, 'failed')
  expect(await queue.jobs.findById(job._id).lean()).toMatchObject({ attempt: 1, error: { code: 'unreadable_audio' } })
})

test('a dialogue has the words of the finished transcription in its languages, whatever names that was given', async () => {
  const recordingId = new Types.ObjectId()
  const params = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null, names: ['Ahmad'] }
  await makeJob(queue, { ownerId, recordingId, params })
  const transcription = makeTranscriptionResult()
  await finishNextJob(queue, transcription)
  await startEngine()
  const job = await makeJob(queue, { ownerId, recordingId })
  await waitForState(job._id, 'done')
  const dialogue = await readResult(queue, ownerId, job._id, 'diarize')
  expect(dialogue?.dialogue_timeline.map(({ text }) => text)).toEqual(transcription.segments.map(({ text }) => text))
})
