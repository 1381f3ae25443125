import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { recordHeartbeat, unregisterEngine } from '#data/engines/engines.ts'
import { newId } from '#data/ids.ts'
import { readQueuePosition } from '#data/jobs/enqueue.ts'
import { completeJob } from '#data/jobs/lease.ts'
import { removeRecording } from '#data/recordings/remove.ts'
import { makeHeartbeat, makeJob, takeJob } from '#testing/jobs.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type CallResult, type SignedInUser, type TestServer } from '#testing/server.ts'
import { countJobs, deleteAllJobs, listJobs } from '#testing/stored-work.ts'
import { makeTranscription } from '#testing/work.ts'
import { createBatchFeeder } from './batch-feeder.ts'
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

const pashto = { language: 'ps' as const, channel_languages: null }

type OfOne = typeof api.jobs.get | typeof api.batches.cancel | typeof api.batches.get | typeof api.batches.retryFailed

function call<const Spec extends OfOne>(spec: Spec, id: string) {
  return server.call<OfOne>(spec, { params: { id }, token: user.accessToken }) as Promise<CallResult<Spec>> // the type that the spec gives
}

describe('a batch', () => {
  test('transcribes each recording, then translates it, and skips what was done already', async () => {
    const ids = await world.storeRecordings(user, 3)
    await world.storeTranscription(user, ids[0] ?? '')
    const { id, counts, total } = await world.startBatch(user, {
      selection: { ids },
      transcribe: pashto,
      target_languages: ['en', 'fr'],
    })
    expect([total, counts.waiting]).toEqual([3, 3])
    const done = await world.workAll()
    expect(done.filter(({ kind }) => kind === 'transcribe')).toHaveLength(2)
    expect(done.filter(({ kind }) => kind === 'translate')).toHaveLength(6)
    const { batch, items } = await world.readBatch(user, id)
    expect(batch).toMatchObject({ state: 'done', counts: { done: 3, waiting: 0, running: 0, failed: 0, skipped: 0 } })
    expect(items.map(({ name }) => name).toSorted()).toEqual(['call 0.wav', 'call 1.wav', 'call 2.wav'])

    const again = await world.startBatch(user, { selection: { ids }, transcribe: pashto, target_languages: ['en'] })
    expect(await world.workAll()).toEqual([])
    const skipped = await world.readBatch(user, again.id)
    expect(skipped.batch).toMatchObject({ state: 'done', counts: { skipped: 3 } })
    expect(skipped.items[0]?.reason).toBe('It was done already')
  })

  test('does again what was done already where that is asked for, once', async () => {
    const ids = await world.storeRecordings(user, 2)
    await world.startBatch(user, { selection: { ids }, transcribe: pashto })
    await world.workAll()
    const { id } = await world.startBatch(user, { selection: { ids }, transcribe: pashto, redo: true })
    expect(await world.workAll()).toHaveLength(2)
    expect((await world.readBatch(user, id)).batch).toMatchObject({ state: 'done', counts: { done: 2 } })
  })

  test('says what it would do before it begins', async () => {
    const ids = await world.storeRecordings(user, 3)
    await world.storeTranscription(user, ids[0] ?? '')
    await world.storeTranscription(user, ids[1] ?? '', ['en'])
    const preview = async (body: object) => {
      const input = { selection: { ids }, ...body }
      return (await server.call(api.batches.preview, { body: input, token: user.accessToken })).data
    }
    expect(await preview({ transcribe: pashto, target_languages: ['en'] })).toEqual({
      total: 3,
      checked: 3,
      transcriptions: 1,
      translations: 2,
      skipped: [{ reason: 'It is in English already', count: 1 }],
    })
    expect((await preview({ target_languages: ['en'] })).skipped).toEqual([
      { reason: 'It is in English already', count: 1 },
      { reason: 'It is not transcribed yet', count: 1 },
    ])
    expect(await countJobs(server.services.work.queue, { state: 'queued' })).toBe(0)
  })

  test('transcribes the channels of stereo recordings in languages of their own', async () => {
    const { queue } = server.services.work
    const [mono = ''] = await world.storeRecordings(user, 1)
    const stereo = await storeDocument(queue.connection, { ownerId: user.id, isStereo: true, channels: 2 })
    const transcribe = { language: 'ps' as const, channel_languages: ['en', 'ur'] as ['en', 'ur'] }
    await world.startBatch(user, { selection: { ids: [mono, stereo.id] }, transcribe })
    const jobs = await listJobs(queue, { ownerId: user.id })
    expect(jobs.map(({ recordingId, params }) => ({ recordingId, params }))).toEqual(
      expect.arrayContaining([
        { recordingId: mono, params: expect.objectContaining({ language: 'ps', channelLanguages: null }) },
        { recordingId: stereo.id, params: expect.objectContaining({ channelLanguages: ['en', 'ur'] }) },
      ]),
    )
  })

  test('that only translates waits for a transcription that is under way', async () => {
    const ids = await world.storeRecordings(user, 2)
    const first = await world.startBatch(user, { selection: { ids }, transcribe: pashto })
    const second = await world.startBatch(user, { selection: { ids }, target_languages: ['en'] })
    expect((await world.readBatch(user, second.id)).batch.counts).toMatchObject({ waiting: 2, skipped: 0 })
    await world.workAll()
    expect((await world.readBatch(user, first.id)).batch.state).toBe('done')
    expect((await world.readBatch(user, second.id)).batch.counts.waiting).toBe(2)
  })
})

describe('the queue', () => {
  test('gets a few jobs of a batch at a time, and single jobs of the user and of others wait for none of them', async () => {
    const { queue } = server.services.work
    const ids = await world.storeRecordings(user, 24)
    const { id } = await world.startBatch(user, { selection: { ids }, transcribe: pashto })
    expect(await countJobs(queue, { ownerId: user.id, state: 'queued' })).toBe(20)
    await world.workOnce()
    const own = await makeJob(queue, { ownerId: user.id })
    const other = await makeJob(queue, { ownerId: newId() })
    expect(await readQueuePosition(queue, own)).toBeLessThanOrEqual(3)
    expect(await readQueuePosition(queue, other)).toBeLessThanOrEqual(3)
    const { batch } = await world.readBatch(user, id)
    expect(batch.counts).toMatchObject({ done: 1, running: 20, waiting: 3 })
    expect(await countJobs(queue, { ownerId: user.id, state: 'queued' })).toBe(21)
  })

  test('that is full of single jobs gets the rest of a batch later', async () => {
    const { queue } = server.services.work
    const before = queue.limits.maxQueuedPerUser
    queue.limits.maxQueuedPerUser = 3
    for (let at = 0; at < 3; at += 1) await makeJob(queue, { ownerId: user.id })
    const ids = await world.storeRecordings(user, 2)
    const { id } = await world.startBatch(user, { selection: { ids }, transcribe: pashto })
    expect((await world.readBatch(user, id)).batch.counts).toMatchObject({ waiting: 2, running: 0 })
    queue.limits.maxQueuedPerUser = before
    await world.workAll()
    expect((await world.readBatch(user, id)).batch).toMatchObject({ state: 'done', counts: { done: 2 } })
  })

  test('tells of no job of a batch one by one', async () => {
    const ids = await world.storeRecordings(user, 1)
    const { id } = await world.startBatch(user, { selection: { ids }, transcribe: pashto })
    const [job] = await listJobs(server.services.work.queue, { ownerId: user.id })
    expect(job?.batchId).toBe(id)
    expect((await call(api.jobs.get, job?.id ?? '')).data).toMatchObject({ batch_id: id })
  })
})

describe('what goes wrong', () => {
  test('is told for each recording, and tried again when asked', async () => {
    const ids = await world.storeRecordings(user, 3)
    const { id } = await world.startBatch(user, { selection: { ids }, transcribe: pashto, target_languages: ['en'] })
    const isFailing = ({ recordingId, kind }: { recordingId: string | null; kind: string }) =>
      recordingId === ids[0] || (recordingId === ids[1] && kind === 'translate')
    await world.workAll(isFailing)
    const failed = await world.readBatch(user, id)
    expect(failed.batch).toMatchObject({ state: 'done', counts: { done: 1, failed: 2 } })
    const query = { state: 'failed' as const }
    const listed = await server.call(api.batches.get, { params: { id }, query, token: user.accessToken })
    expect(new Map(listed.data.items.map(({ recording_id, reason }) => [recording_id, reason]))).toEqual(
      new Map([
        [ids[0], 'Transcription failed: The file cannot be read'],
        [ids[1], 'Translation to English failed: The file cannot be read'],
      ]),
    )
    const retried = await call(api.batches.retryFailed, id)
    expect(retried.data).toMatchObject({ state: 'running', finished_at: null, counts: { failed: 0 } })
    expect((await world.workAll()).map(({ kind }) => kind).toSorted()).toEqual(['transcribe', 'translate', 'translate'])
    expect((await world.readBatch(user, id)).batch).toMatchObject({ state: 'done', counts: { done: 3, failed: 0 } })
    expect((await call(api.batches.retryFailed, id)).data.state).toBe('done')
  })

  test('a recording that is deleted meanwhile is skipped', async () => {
    const { work } = server.services
    const ids = await world.storeRecordings(user, 2)
    const { id } = await world.startBatch(user, { selection: { ids }, transcribe: pashto })
    await removeRecording(work, user.id, ids[0] ?? '')
    await world.workAll()
    const { batch, items } = await world.readBatch(user, id)
    expect(batch).toMatchObject({ state: 'done', counts: { done: 1, skipped: 1 } })
    const deleted = items.find(({ recording_id }) => recording_id === ids[0])
    expect(deleted).toMatchObject({ name: null, state: 'skipped', reason: 'The recording was deleted' })
  })

  test('cancelling stops the rest and its waiting jobs; what is at work goes on', async () => {
    const { queue } = server.services.work
    const ids = await world.storeRecordings(user, 22)
    const { id } = await world.startBatch(user, { selection: { ids }, transcribe: pashto, target_languages: ['en'] })
    const running = await takeJob(queue)
    const single = await makeJob(queue, { ownerId: user.id })
    expect((await call(api.batches.cancel, id)).data).toMatchObject({ state: 'cancelled', finished_at: null })
    expect((await listJobs(queue, { ownerId: user.id, state: 'queued' })).map((job) => job.id)).toEqual([single.id])
    await completeJob(queue, running, { result: makeTranscription(), languages: ['ps'] })
    const { batch } = await world.readBatch(user, id)
    expect(batch).toMatchObject({ state: 'cancelled', counts: { cancelled: 22, waiting: 0, running: 0 } })
    expect(batch.finished_at).not.toBeNull()
    expect((await call(api.batches.cancel, id)).data).toEqual(batch)
  })

  test('the batches of a user who was deactivated are cancelled', async () => {
    const { queue } = server.services.work
    const ids = await world.storeRecordings(user, 2)
    await world.startBatch(user, { selection: { ids }, transcribe: pashto })
    await server.services.users.update(user.id, { isActive: false })
    await server.services.batchFeeder.feed()
    expect(await countJobs(queue, { ownerId: user.id, state: 'queued' })).toBe(0)
  })
})

describe('a request', () => {
  const token = () => user.accessToken

  test('for recordings or a batch of somebody else is not found', async () => {
    const other = await server.createSignedIn()
    const ids = await world.storeRecordings(other, 1)
    const body = { selection: { ids }, transcribe: pashto }
    expect((await server.call(api.batches.create, { body, token: token() })).error.code).toBe('not_found')
    const preview = await server.call(api.batches.preview, { body, token: token() })
    expect(preview.data).toMatchObject({ total: 0, transcriptions: 0 })
    const { id } = await world.startBatch(other, body)
    for (const spec of [api.batches.get, api.batches.cancel, api.batches.retryFailed]) {
      expect((await call(spec, id)).error.code).toBe('not_found')
    }
    expect((await server.call(api.batches.list, { token: token() })).data.batches).toEqual([])
    expect((await server.call(api.batches.list, { token: other.accessToken })).data.batches).toMatchObject([{ id }])
  })

  test('for what no model can do is refused before anything is stored', async () => {
    const { connection } = server.services.work
    const ids = await world.storeRecordings(user, 1)
    const start = async (body: object) => {
      const request = { selection: { ids }, ...body }
      return (await server.call(api.batches.create, { body: request, token: token() })).error.code
    }
    const speech = { id: 'small', name: 'Small', languages: ['ps'], is_demo: false }
    await recordHeartbeat(connection, 'engine', makeHeartbeat({ speech, transcription: ['ps'] }))
    expect(await start({ transcribe: { language: 'ur' } })).toBe('unsupported_language')
    expect(await start({ target_languages: ['fr'] })).toBe('model_unavailable')
    expect(await start({ target_languages: ['xx'] })).toBe('invalid_input')
    expect(await start({})).toBe('invalid_input')
    const translation = { id: 'any', name: 'Any', languages: [], is_demo: false }
    await recordHeartbeat(connection, 'engine', makeHeartbeat({ translation, translation_targets: ['en'] }))
    expect(await start({ target_languages: ['fr'] })).toBe('unsupported_pair')
    await unregisterEngine(connection, 'engine')
    expect((await server.call(api.batches.list, { token: token() })).data.batches).toEqual([])
  })

  test('for one batch too many is refused', async () => {
    const ids = await world.storeRecordings(user, 1)
    const body = { selection: { ids }, transcribe: pashto, redo: true }
    const create = () => server.call(api.batches.create, { body, token: token() })
    for (let count = 0; count < 10; count += 1) expect((await create()).data.state).toBe('running')
    expect((await create()).error.code).toBe('conflict')
  })
})

describe('after a crash', () => {
  test('the rest is done, and nothing twice, although what was queued was not noted', async () => {
    const { queue } = server.services.work
    const ids = await world.storeRecordings(user, 3)
    const { id } = await world.startBatch(user, { selection: { ids }, transcribe: pashto, target_languages: ['en'] })
    await world.workOnce()
    await world.forgetProgress(id)
    await world.workAll()
    expect((await world.readBatch(user, id)).batch).toMatchObject({ state: 'done', counts: { done: 3 } })
    expect(await countJobs(queue, { ownerId: user.id })).toBe(6)
  })

  // Must be the last test: it closes the server's feeder.
  test('one server at a time feeds the queue, and another one goes on after it', async () => {
    const { work, activity, log, batchFeeder } = server.services
    const ids = await world.storeRecordings(user, 2)
    await world.startBatch(user, { selection: { ids }, transcribe: pashto })
    await world.workOnce()
    const second = createBatchFeeder({ ...work, activity, log })
    await batchFeeder.close()
    await second.feed()
    await world.workOnce()
    await second.feed()
    const { batches } = (await server.call(api.batches.list, { token: user.accessToken })).data
    expect(batches).toMatchObject([{ state: 'done', counts: { done: 2 } }])
    await second.close()
  })
})
