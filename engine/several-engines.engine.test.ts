import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { JobState } from '#contract/entities/job.ts'
import { newId } from '#data/ids.ts'
import { markAudioStore } from '#data/audio-store/store-mark.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { findLiveEngines, readFeatures } from '#data/engines/engines.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { saveSource } from '#data/jobs/translation-source.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { makeJob } from '#testing/jobs.ts'
import { startTestEngine, type TestEngine } from '#testing/engine.ts'
import { startEngineProcess } from '#testing/processes.ts'
import { countCheckpoints, countDoneWithoutResult, listJobs, countJobs, readJob } from '#testing/stored-work.ts'

const sampleCall = join(dirname(import.meta.dirname), 'models/demo/sample-call.mp3')
const ownerId = newId()
/** A model id that is in no catalog: the engine then runs without a model of that kind. */
const noSpeech = { SPEECH_MODEL: 'not-installed' }
let database: TestDatabase
let queue: Queue
let dataDir: string
const ends: (() => Promise<void>)[] = []
const folders: string[] = []

beforeEach(async () => {
  dataDir = await makeFolder()
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
})
afterEach(async () => {
  await Promise.all(ends.splice(0).map((end) => end()))
  await database.drop()
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'awaz-engines-'))
  folders.push(folder)
  return folder
}

interface StartOptions {
  env?: Record<string, string>
  folder?: string
}

/** Starts the first engine of a test, in this process. */
async function startFirst({ env, folder = dataDir }: StartOptions = {}) {
  const engine = await startTestEngine({ connection: database.connection, dataDir: folder, ...(env && { env }) })
  ends.push(engine.stop)
  return engine
}

/** Starts an engine in its own process. */
async function startOther({ env, folder = dataDir }: StartOptions = {}) {
  const engine = await startEngineProcess({ dataDir: folder, database, ...(env && { env }) })
  ends.push(() => engine.end('SIGKILL'))
  return engine
}

async function makeTranslation(index = 0) {
  const text = `سلام زما ملګریه ${index}`
  const sourceId = await saveSource(queue, { ownerId, recordingId: null }, { kind: 'text', text })
  const languages = { sourceLanguage: 'ps', targetLanguage: 'en' }
  const ids = { sourceId: sourceId, transcriptionId: null }
  return makeJob(queue, { ownerId, params: { kind: 'translate', ...ids, ...languages, context: null } })
}

/** Returns the sample call, repeated to make the job take longer. */
async function makeTranscription({ calls = 1 } = {}) {
  const id = newId()
  const folder = join(dataDir, 'audio', id.slice(-2))
  await mkdir(folder, { recursive: true })
  const sound = await readFile(sampleCall)
  await writeFile(join(folder, `${id}.mp3`), Buffer.concat(Array.from({ length: calls }, () => sound)))
  const facts = { name: 'call.mp3', extension: 'mp3', sizeBytes: 1, sha256: 'none', durationMs: 1, channels: 2 }
  await insertRecording(database.connection, { id, ownerId, ...facts, isStereo: true, peaks: [] })
  const channelLanguages = ['ps' as const, 'en' as const]
  const params = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages, names: [] }
  return makeJob(queue, { ownerId, recordingId: id, params })
}

async function waitForState(ids: string[], state: JobState, timeout = 150_000) {
  await vi.waitFor(async () => expect(await countJobs(queue, { ids, state })).toBe(ids.length), {
    timeout,
    interval: 100,
  })
}

/** Returns the ids of the jobs that an engine logged as done. */
function jobsDoneBy({ lines }: Pick<TestEngine, 'lines'>): string[] {
  return lines.filter(({ msg }) => msg === 'job done').map(({ jobId }) => String(jobId))
}

test('two engines run 40 jobs, each once, although one of them is killed halfway', async () => {
  const second = await startFirst()
  const first = await startOther()
  const jobs: string[] = []
  for (let index = 0; index < 40; index += 1) jobs.push((await makeTranslation(index)).id)
  await vi.waitFor(() => expect(jobsDoneBy(first).length).toBeGreaterThan(4), { timeout: 60_000 })
  await first.end('SIGKILL')
  await waitForState(jobs, 'done')
  await vi.waitFor(() => expect(jobsDoneBy(first).length + jobsDoneBy(second).length).toBeGreaterThan(38))
  const done = [...jobsDoneBy(first), ...jobsDoneBy(second)]
  expect(new Set(done).size).toBe(done.length)
  expect(jobsDoneBy(second).length).toBeGreaterThan(4)
  expect(await countDoneWithoutResult(queue)).toBe(0)
  // At most the killed engine's job was started again.
  const jobsAfter = await listJobs(queue)
  expect(jobsAfter.filter(({ attempt }) => attempt > 1).length).toBeLessThan(2)
}, 240_000)

test('a starting engine deletes no files of a running one, and takes over no job of it', async () => {
  await startFirst()
  const job = await makeTranscription({ calls: 4 })
  await vi.waitFor(async () => expect(await countCheckpoints(queue, job.id)).toBeGreaterThan(0), {
    timeout: 60_000,
  })
  const [folder] = await readdir(join(dataDir, 'tmp'))
  expect(folder).toContain(job.id)
  await startOther()
  expect(await readdir(join(dataDir, 'tmp'))).toEqual([folder])
  expect(await readJob(queue, job.id)).toMatchObject({ state: 'running', attempt: 1 })
  await waitForState([job.id], 'done')
  expect(await readJob(queue, job.id)).toMatchObject({ attempt: 1 })
}, 240_000)

test('an engine without the model leaves the job to the one with it; both kinds of jobs are offered', async () => {
  const [transcription, translation] = [await makeTranscription(), await makeTranslation()]
  const without = await startFirst({ env: noSpeech })
  await waitForState([translation.id], 'done')
  expect(await readFeatures(database.connection)).toMatchObject({ speech: null, transcription: [] })
  expect(await readJob(queue, transcription.id)).toMatchObject({ state: 'queued', attempt: 0 })
  const other = await startOther({ env: { TRANSLATION_MODEL: 'not-installed' } })
  expect(await readFeatures(database.connection)).toMatchObject({
    transcription: expect.arrayContaining(['ps', 'en']),
    translation_targets: expect.arrayContaining(['ps', 'en']),
    diarization: true,
  })
  await waitForState([transcription.id], 'done')
  expect(jobsDoneBy(without)).toEqual([translation.id])
  await vi.waitFor(() => expect(jobsDoneBy(other)).toEqual([transcription.id]))
}, 240_000)

test('an engine without access to the recordings reports it, translates, and fails no job for a missing recording', async () => {
  const audioDir = join(dataDir, 'audio')
  await mkdir(audioDir)
  await markAudioStore(database.connection, audioDir, (error) => expect(error).toBeUndefined())
  const host = await startFirst({ folder: await makeFolder() })
  const [transcription, translation] = [await makeTranscription(), await makeTranslation()]
  await waitForState([translation.id], 'done')
  expect(await readJob(queue, transcription.id)).toMatchObject({ state: 'queued', attempt: 0 })
  const problem = expect.stringContaining('is not the folder in which the server keeps recordings')
  expect(host.lines).toContainEqual(expect.objectContaining({ level: 50, msg: problem }))
  expect(await findLiveEngines(database.connection)).toMatchObject([{ status: { problem } }])
  await startOther()
  await waitForState([transcription.id], 'done')
}, 240_000)

test('heartbeats report the model in memory and its speed', async () => {
  await startFirst()
  await makeTranscription()
  await vi.waitFor(
    async () => {
      expect(await findLiveEngines(database.connection)).toMatchObject([
        {
          pid: process.pid,
          status: {
            threads: 1,
            model: { id: 'demo-speech', kind: 'speech' },
            device: expect.stringContaining('whisper.cpp'),
            speeds: [{ real_time_factor: expect.any(Number), audio_seconds: expect.any(Number) }],
            problem: null,
            components: expect.arrayContaining([
              { name: 'ffmpeg', version: expect.any(String) },
              { name: 'whisper.cpp', version: expect.stringMatching(/^\d+\.\d+/) },
              { name: 'llama.cpp', version: expect.any(String) },
            ]),
          },
        },
      ])
    },
    { timeout: 60_000, interval: 50 },
  )
}, 120_000)
