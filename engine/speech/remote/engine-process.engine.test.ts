import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Types } from 'mongoose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { EngineStatus } from '#contract/entities/engine.ts'
import { ensureIndexes } from '#data/model.ts'
import { cancelJob } from '#data/queue/cancel.ts'
import { findLiveEngines } from '#data/queue/engines.ts'
import { openQueue, type Queue } from '#data/queue/queue.ts'
import { readResult } from '#data/queue/results.ts'
import { insertRecording } from '#data/recordings/recordings.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { makeJob } from '#testing/jobs.ts'
import { startEngineProcess, type TestProcess } from '#testing/processes.ts'
import { startStandIn, transcribeByFingerprint } from './testing/stand-in-server.ts'
import type { StandInServer } from './testing/stand-in-server.ts'

const ownerId = new Types.ObjectId()
let database: TestDatabase
let queue: Queue
let dataDir: string
let server: StandInServer
let gone: StandInServer
let engine: TestProcess
let hasWork: PromiseWithResolvers<void>

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-remote-engine-'))
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
  server = await startStandIn(async (request, response) => {
    await hasWork.promise
    return transcribeByFingerprint(request, response)
  })
  gone = await startStandIn()
  await gone.close()
  const env = { SPEECH_SERVERS: `${gone.address},${server.address}/v1`, SPEECH_SERVER_MODEL: 'Large', SPEECH_MODEL: '' }
  engine = await startEngineProcess({ dataDir, database, env })
})

beforeEach(() => {
  hasWork = Promise.withResolvers()
})

afterEach(() => hasWork.resolve())

afterAll(async () => {
  await engine?.end('SIGKILL')
  await server?.close()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function makeTranscription() {
  const id = new Types.ObjectId()
  const folder = join(dataDir, 'audio', id.toHexString().slice(-2))
  await mkdir(folder, { recursive: true })
  await copyFile(join(bundledModelsDir, 'demo/sample-call.mp3'), join(folder, `${id.toHexString()}.mp3`))
  const facts = { name: 'call.mp3', extension: 'mp3', sizeBytes: 1, sha256: 'none', durationMs: 1, channels: 2 }
  await insertRecording(database.connection, { _id: id, ownerId, ...facts, isStereo: true, peaks: [] })
  const params = { kind: 'transcribe' as const, language: 'en' as const, channelLanguages: null, names: [] }
  return makeJob(queue, { ownerId, recordingId: id, params, workKey: `transcribe:${id.toHexString()}` })
}

test('an engine sends the speech of a job to the servers, and publishes how they are', async () => {
  hasWork.resolve()
  const job = await makeTranscription()
  const isDone = async () => expect(await queue.jobs.findById(job._id).lean()).toMatchObject({ state: 'done' })
  await vi.waitFor(isDone, { timeout: 120_000, interval: 200 })
  const result = await readResult(queue, ownerId, job._id, 'transcribe')
  expect(result).toMatchObject({ model: 'remote-large', warnings: [] })
  expect(server.seen.filter(({ fingerprint }) => !result?.transcription.includes(fingerprint))).toEqual([])
  expect(server.seen.every(({ fields }) => fields.model?.[0] === 'Large')).toBe(true)
  const isPublished = async () => {
    const [live] = await findLiveEngines(database.connection)
    expect(EngineStatus.parse(live?.status).speech_servers).toMatchObject([
      { address: gone.address, is_reachable: false, models: ['Large'] },
      { address: server.address, is_reachable: true, completed: server.seen.length, in_flight: 0, last_error: null },
    ])
  }
  await vi.waitFor(isPublished, { timeout: 20_000, interval: 200 })
})

test('cancelling a job stops the request within two seconds', async () => {
  const before = server.seen.length
  const job = await makeTranscription()
  await vi.waitFor(() => expect(server.seen.length).toBeGreaterThan(before), { timeout: 60_000 })
  expect(server.connections.size).toBeGreaterThan(0)
  const cancelledAt = performance.now()
  await cancelJob(queue, ownerId, job._id)
  await vi.waitFor(() => expect(server.connections.size).toBe(0), { timeout: 10_000, interval: 20 })
  expect(performance.now() - cancelledAt).toBeLessThan(2000)
})
