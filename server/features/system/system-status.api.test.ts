import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { EngineStatus } from '#contract/entities/engine.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { newId } from '#data/ids.ts'
import type { EngineFeatures } from '#data/engines/engine-features.ts'
import { engineModel } from '#data/engines/engine-model.ts'
import { recordHeartbeat } from '#data/engines/engines.ts'
import { writeProgress } from '#data/jobs/lease.ts'
import { makeHeartbeat, makeJob, takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { deleteAllJobs } from '#testing/stored-work.ts'

let server: TestServer
let admin: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.createSignedIn({ role: 'admin' })
})
beforeEach(async () => {
  await engineModel(connection()).deleteMany({})
  await deleteAllJobs(server.services.work.queue)
})
afterAll(() => server.close())

const connection = () => server.services.database.connection
const model = { id: 'small', name: 'Small', is_demo: false, languages: ['ps'] }
const speech = { speech: model, transcription: ['ps'], diarization: true, language_detection: true }
const translation = { translation: model, translation_sources: ['ps'], translation_targets: ['en'] }

function register(id: string, features: Partial<EngineFeatures> = {}, status: Partial<EngineStatus> = {}) {
  return recordHeartbeat(connection(), id, makeHeartbeat(features, status))
}

async function readStatus() {
  return (await server.call(api.system.status, { token: admin.accessToken })).data
}

async function readChecks() {
  const answer = await fetch(`${server.url}/readyz`)
  return api.system.ready.response.parse(await answer.json()).checks
}

function makeServer(overrides: Partial<RemoteServerStatus> = {}): RemoteServerStatus {
  return {
    address: 'http://10.0.0.5:8000',
    models: ['whisper-1'],
    is_reachable: true,
    in_flight: 1,
    completed: 2,
    failed: 0,
    real_time_factor: 0.2,
    tokens_per_second: null,
    last_error: null,
    retry_at: null,
    ...overrides,
  }
}

const away = (address: string) =>
  makeServer({
    address,
    is_reachable: false,
    last_error: { message: 'connection refused', at: '2026-01-02T03:04:05.000Z' },
    retry_at: '2026-01-02T03:05:05.000Z',
  })

test('returns versions alone while no engine is live', async () => {
  expect(await readStatus()).toEqual({
    version: expect.any(String),
    revision: expect.toSatisfy((revision) => revision === null || /^[0-9a-f]{7,}$/.test(revision)),
    components: [
      { name: 'Node.js', version: process.versions.node },
      // One word that contains a digit: a release is "5.1.9", the build in the npm package "N-47683-g0e8eb07980-static".
      { name: 'ffmpeg', version: expect.stringMatching(/^\S*\d\S*$/) },
    ],
    database: { is_embedded: expect.any(Boolean), version: expect.stringMatching(/^\d+\.\d+/) },
    queued_jobs: 0,
    running_jobs: 0,
    engines: [],
    speech_servers: [],
    translation_servers: [],
    mail: { ok: true, message: 'mails are kept in the outbox' },
    library: null,
  })
})

test('names each engine with its models, its speed and what it works on', async () => {
  const speeds = [{ model: 'Small', real_time_factor: 0.4, audio_seconds: 60 }]
  await register('first', speech, { threads: 4, device: 'whisper.cpp', model: { ...model, kind: 'speech' }, speeds })
  await register('second', translation)
  await makeJob(server.services.work.queue, { ownerId: newId() })
  await makeJob(server.services.work.queue)
  const job = await takeJob(server.services.work.queue, 'first')
  const progress = { current_segment: 1, total_segments: 4, detected_language: 'ps', language_probability: 1 }
  const text = { id: newId(), sequence: 0 }
  await writeProgress(server.services.work.queue, job, { ...progress, latest_segment: null }, text)
  const { engines, ...rest } = await readStatus()
  expect(rest).toMatchObject({ queued_jobs: 1, running_jobs: 1 })
  expect(engines).toMatchObject([
    {
      id: 'first',
      pid: process.pid,
      threads: 4,
      model: { id: 'small', name: 'Small', kind: 'speech' },
      device: 'whisper.cpp',
      speeds,
      problem: null,
      speech_model: 'Small',
      translation_model: null,
      job: { id: job.id, kind: 'diarize', progress: 0.25, attempt: 1 },
    },
    { id: 'second', speech_model: null, translation_model: 'Small', job: null },
  ])
})

test('names what an engine works with on its host', async () => {
  const components = [{ name: 'ffmpeg', version: '7.1' }]
  await register('first', speech, { version: '0.1.0', revision: 'b384c64', components })
  expect((await readStatus()).engines).toMatchObject([{ version: '0.1.0', revision: 'b384c64', components }])
})

test('names an engine of an older version', async () => {
  await register('old', speech)
  await engineModel(connection()).updateOne({ _id: 'old' }, { $unset: { status: 1 } })
  expect((await readStatus()).engines).toMatchObject([
    { id: 'old', version: null, revision: null, components: [], threads: null, speech_model: 'Small', speeds: [] },
  ])
})

test('offers every language while no engine is live', async () => {
  const { features, transcription_languages: transcription } = (await server.call(api.system.languages)).data
  expect(features).toMatchObject({ transcription: Object.keys(transcription), language_detection: true, models: [] })
})

test('offers what the live engines can do together', async () => {
  await register('first', { ...speech, transcription: ['ps'] })
  await register('second', { ...translation, transcription: ['en'] })
  expect((await server.call(api.system.languages)).data.features).toMatchObject({
    transcription: ['ps', 'en'],
    translation_targets: ['en'],
    diarization: true,
  })
})

test('merges the figures of a transcription server that several engines use', async () => {
  await register('first', speech, { speech_servers: [makeServer(), away('http://10.0.0.6:8000')] })
  await register('second', speech, {
    speech_servers: [
      makeServer({ completed: 6, real_time_factor: 0.4 }),
      makeServer({ address: 'http://10.0.0.6:8000' }),
    ],
  })
  expect((await readStatus()).speech_servers).toMatchObject([
    {
      address: 'http://10.0.0.5:8000',
      is_reachable: true,
      in_flight: 2,
      completed: 8,
      real_time_factor: expect.closeTo(0.35),
    },
    {
      address: 'http://10.0.0.6:8000',
      is_reachable: true,
      last_error: { message: 'connection refused' },
      retry_at: null,
    },
  ])
})

test('is ready while one transcription server is reachable, and names those that are not', async () => {
  await register('first', speech, { speech_servers: [makeServer(), away('http://10.0.0.6:8000')] })
  expect((await readChecks()).speech_servers).toEqual({
    ok: true,
    message: '1 of 2 in use, without http://10.0.0.6:8000',
  })
})

test('is not ready while no transcription server can be reached', async () => {
  const speech_servers = [away('http://10.0.0.5:8000'), away('http://10.0.0.6:8000')]
  await register('first', speech, { speech_servers })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
  expect((await readChecks()).speech_servers).toEqual({
    ok: false,
    message: 'no transcription server can be reached: http://10.0.0.5:8000 and http://10.0.0.6:8000',
  })
})

test('reports translation servers as it does transcription servers, with their speed', async () => {
  const fast = makeServer({ real_time_factor: null, tokens_per_second: 40 })
  const gone = { ...away('http://10.0.0.6:8000'), real_time_factor: null }
  await register('first', translation, { translation_servers: [fast, gone] })
  expect((await readStatus()).translation_servers).toMatchObject([
    { address: fast.address, tokens_per_second: 40, real_time_factor: null },
    { address: gone.address, is_reachable: false },
  ])
  expect((await readChecks()).translation_servers).toEqual({
    ok: true,
    message: '1 of 2 in use, without http://10.0.0.6:8000',
  })
  await register('first', translation, { translation_servers: [gone] })
  expect((await readChecks()).translation_servers).toEqual({
    ok: false,
    message: 'no translation server can be reached: http://10.0.0.6:8000',
  })
})

test('is not ready while no engine can read the recordings', async () => {
  await register('first', speech, { problem: '/srv/audio is not the folder.' })
  expect((await readChecks()).engine).toEqual({
    ok: false,
    message: 'none can read the recordings: share DATA_DIR/audio between the hosts',
  })
  await register('second', speech)
  expect((await readChecks()).engine).toEqual({
    ok: true,
    message: '2 running, of which 1 cannot read the recordings',
  })
  expect((await readStatus()).engines.map(({ problem }) => problem)).toEqual(['/srv/audio is not the folder.', null])
})
