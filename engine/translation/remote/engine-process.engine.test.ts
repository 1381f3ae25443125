import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Types } from 'mongoose'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { EngineStatus } from '#contract/entities/engine.ts'
import { ensureIndexes } from '#data/model.ts'
import { cancelJob } from '#data/queue/cancel.ts'
import { findLiveEngines, readFeatures } from '#data/queue/engines.ts'
import { openQueue, type Queue } from '#data/queue/queue.ts'
import { readResult } from '#data/queue/results.ts'
import { saveSource } from '#data/queue/translation-source.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { makeJob } from '#testing/jobs.ts'
import { startEngineProcess, type TestProcess } from '#testing/processes.ts'
import { startStandIn } from './testing/stand-in-server.ts'
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
  dataDir = await mkdtemp(join(tmpdir(), 'awaz-remote-translation-'))
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
  server = await startStandIn(async ({ body, text }, response) => {
    await hasWork.promise
    const number = /\d+/.exec(text)?.[0]
    const isToEnglish = body.messages[0]?.content.includes('to English')
    const content = isToEnglish ? `He brought ${number} boxes to the market.` : `او ${number} جعبه را به بازار آورد.`
    response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: 'stop' }] }))
  })
  gone = await startStandIn()
  await gone.close()
  const env = {
    TRANSLATION_SERVERS: `${gone.address},${server.address}/v1`,
    TRANSLATION_SERVER_MODEL: 'General',
    TRANSLATION_SERVER_LANGUAGES: 'fa,en',
    TRANSLATION_SERVER_MODEL_BY_PAIR: 'ps-en=Pashto',
    TRANSLATION_MODEL: '',
  }
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

async function makeTranslation(number: number) {
  const text = `هغه ${number} صندوقونه بازار ته راوړل`
  const sourceId = await saveSource(queue, { ownerId, recordingId: null }, { kind: 'text', text })
  const ids = { transcriptionId: null, sourceId: sourceId.toHexString() }
  const languages = { sourceLanguage: 'ps', targetLanguage: 'fa' }
  return makeJob(queue, { ownerId, params: { kind: 'translate', ...ids, ...languages, context: null } })
}

test('an engine sends texts to the servers, over English where it must, and publishes how they are', async () => {
  hasWork.resolve()
  expect(await readFeatures(database.connection)).toMatchObject({
    translation: { name: 'General' },
    translation_sources: ['fa', 'en', 'ps'],
    translation_targets: ['fa', 'en', 'ps'],
  })
  const job = await makeTranslation(7)
  const isDone = async () => expect(await queue.jobs.findById(job._id).lean()).toMatchObject({ state: 'done' })
  await vi.waitFor(isDone, { timeout: 60_000, interval: 200 })
  expect(await readResult(queue, ownerId, job._id, 'translate')).toMatchObject({
    translated_text: 'او 7 جعبه را به بازار آورد.',
    via: 'en',
    provenance: [{ model_name: 'General' }, { model_name: 'Pashto' }],
  })
  expect(server.seen.map(({ body }) => body.model)).toEqual(['Pashto', 'General'])
  const isPublished = async () => {
    const [live] = await findLiveEngines(database.connection)
    expect(EngineStatus.parse(live?.status).translation_servers).toMatchObject([
      { address: gone.address, is_reachable: false, models: ['General', 'Pashto'], completed: 0 },
      { address: server.address, is_reachable: true, completed: 2, in_flight: 0, last_error: null },
    ])
  }
  await vi.waitFor(isPublished, { timeout: 20_000, interval: 200 })
})

test('cancelling a job stops the request within two seconds', async () => {
  const before = server.seen.length
  const job = await makeTranslation(8)
  await vi.waitFor(() => expect(server.seen.length).toBeGreaterThan(before), { timeout: 60_000 })
  expect(server.connections.size).toBeGreaterThan(0)
  const cancelledAt = performance.now()
  await cancelJob(queue, ownerId, job._id)
  await vi.waitFor(() => expect(server.connections.size).toBe(0), { timeout: 10_000, interval: 20 })
  expect(performance.now() - cancelledAt).toBeLessThan(2000)
})
