import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { recordHeartbeat, unregisterEngine } from '#data/engines/engines.ts'
import { makeHeartbeat } from '#testing/jobs.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { deleteAllJobs, listJobs } from '#testing/stored-work.ts'
import { createBatchWorld } from './testing/batch-world.ts'

let server: TestServer
let user: SignedInUser
let world: ReturnType<typeof createBatchWorld>

beforeAll(async () => {
  server = await startTestServer()
  world = createBatchWorld(server)
})
beforeEach(async () => {
  await deleteAllJobs(server.services.work.queue)
  user = await server.createSignedIn()
})
afterAll(() => server.close())

const choices = { model: 'large', names: ['Ahmad', 'Kandahar'], speaker_count: 3, split_voices: [false, true] }
const chosen = { language: 'ps' as const, channel_languages: null, ...choices }

test('the model, the names and the voices that a batch is asked for go to each recording, those of its channels', async () => {
  const { queue } = server.services.work
  const [mono = ''] = await world.storeRecordings(user, 1)
  const stereo = await storeDocument(queue.connection, { ownerId: user.id, isStereo: true, channels: 2 })
  const batch = await world.startBatch(user, { selection: { ids: [mono, stereo.id] }, transcribe: chosen })
  expect(batch.transcribe).toEqual(chosen)
  const jobs = await listJobs(queue, { ownerId: user.id })
  const shared = { model: 'large', names: ['Ahmad', 'Kandahar'] }
  expect(jobs.map(({ recordingId, params }) => ({ recordingId, params }))).toEqual(
    expect.arrayContaining([
      { recordingId: mono, params: expect.objectContaining({ ...shared, speakerCount: 3, splitVoices: [] }) },
      {
        recordingId: stereo.id,
        params: expect.objectContaining({ ...shared, speakerCount: null, splitVoices: [false, true] }),
      },
    ]),
  )
})

test('what was done with other choices is done again, and with the same ones it is skipped', async () => {
  const ids = await world.storeRecordings(user, 1)
  await world.storeTranscription(user, ids[0] ?? '')
  await world.startBatch(user, { selection: { ids }, transcribe: chosen })
  const workOn = async () => (await world.workAll()).filter(({ ownerId }) => ownerId === user.id)
  expect(await workOn()).toHaveLength(1)
  await world.startBatch(user, { selection: { ids }, transcribe: chosen })
  expect(await workOn()).toEqual([])
  await world.startBatch(user, { selection: { ids }, transcribe: { ...chosen, speaker_count: 2 } })
  expect(await workOn()).toHaveLength(1)
})

test('a model that is not there, or does not know the language, is refused before anything is stored', async () => {
  const { connection } = server.services.work
  const ids = await world.storeRecordings(user, 1)
  const large = { id: 'large', name: 'Large', languages: ['ps'], detects_languages: true }
  const heartbeat = makeHeartbeat({
    speech: { id: 'small', name: 'Small', languages: ['ps', 'ur'], is_demo: false },
    transcription: ['ps', 'ur'],
    speech_models: [large],
  })
  await recordHeartbeat(connection, 'engine', heartbeat)
  const start = async (transcribe: object) => {
    const body = { selection: { ids }, transcribe: { language: 'ps', ...transcribe } }
    return (await server.call(api.batches.create, { body: body as never, token: user.accessToken })).error?.code
  }
  expect(await start({ model: 'gone' })).toBe('model_unavailable')
  expect(await start({ model: 'large', language: 'ur' })).toBe('unsupported_language')
  await unregisterEngine(connection, 'engine')
  expect((await server.call(api.batches.list, { token: user.accessToken })).data.batches).toEqual([])
})

test('the audit trail names the model', async () => {
  const ids = await world.storeRecordings(user, 1)
  await world.startBatch(user, { selection: { ids }, transcribe: chosen })
  const params = { id: ids[0] ?? '' }
  const { data } = await server.call(api.activity.ofRecording, { params, token: user.accessToken })
  expect(data.entries).toContainEqual(expect.objectContaining({ details: 'batch, ps, model large' }))
})
