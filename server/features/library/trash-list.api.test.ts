import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import { removeExpired } from '#data/recordings/expire.ts'
import { finishDeletions } from '#data/recordings/finish-deletions.ts'
import { hasDatabaseClock, setDatabaseClock } from '#testing/database.ts'
import { makeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { readJob, setRecordingCreatedAt } from '#testing/stored-work.ts'
import { advanceDatabaseClock, hasStoredFile, storeWithFile } from './testing/stored-files.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let server: TestServer
let user: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
})
afterEach(() => (hasDatabaseClock ? setDatabaseClock(0) : undefined))
afterAll(() => server.close())

const queue = () => server.services.work.queue
const connection = () => server.services.database.connection
const stores = () => ({ queue: queue(), audioStore: server.services.work.audioStore })
const token = () => user.accessToken
const store = (name?: string, overrides?: Parameters<typeof storeWithFile>[1]) =>
  storeWithFile({ ...stores(), ownerId: user.id }, { name, ...overrides })
const hasFile = (id: string) => hasStoredFile(stores().audioStore, id)
const makeOwnJob = (recordingId: string) =>
  makeJob(queue(), {
    ownerId: user.id,
    recordingId,
    params: { kind: 'transcribe', language: 'ps', channelLanguages: null },
  })
const remove = (ids: string[]) => server.call(api.library.remove, { body: { selection: { ids } }, token: token() })
const restore = (ids: string[]) => server.call(api.library.restore, { body: { ids }, token: token() })

async function listIds() {
  return (await server.call(api.library.list, { query: {}, token: token() })).data.recordings.map(({ id }) => id)
}

describe('the trash', () => {
  const list = async (query: { page?: number; per_page?: number } = {}) =>
    (await server.call(api.library.listTrash, { query, token: token() })).data
  const empty = (body: { ids: string[] } | { removed_by: string }) =>
    server.call(api.library.emptyTrash, { body, token: token() })

  test('lists what can be restored, removed last first, with its size', async () => {
    const [first, second, kept] = [
      await store('first', { sizeBytes: 3 }),
      await store('second', { sizeBytes: 4 }),
      await store(),
    ]
    await remove([first])
    await remove([second])
    const { recordings, ...sums } = await list()
    expect(recordings.map(({ id }) => id)).toEqual([second, first])
    expect(recordings[0]).toMatchObject({ name: 'second', size: 4 })
    expect(Date.parse(recordings[0]?.restorable_until ?? '') - Date.parse(recordings[0]?.removed_at ?? '')).toBe(
      30 * dayMs,
    )
    expect(sums).toEqual({ total: 2, total_size: 7, days: 30, page: 1, per_page: 50, pages: 1 })
    const next = await list({ page: 2, per_page: 1 })
    expect(next).toMatchObject({ recordings: [{ id: first }], total: 2, total_size: 7 })
    await restore([second])
    expect((await list()).recordings.map(({ id }) => id)).toEqual([first])
    expect(await listIds()).not.toContain(first)
    expect(await listIds()).toContain(kept)
  })

  test('belongs to its owner', async () => {
    const id = await store()
    await remove([id])
    user = await server.createSignedIn()
    expect((await list()).recordings).toEqual([])
    expect((await empty({ ids: [id] })).error.code).toBe('not_found')
    expect((await empty({ removed_by: new Date().toISOString() })).error.code).toBe('not_found')
    expect(await hasFile(id)).toBe(true)
  })

  test('what is deleted from it is gone at once and for good, with its file and jobs; nothing else', async () => {
    const [gone, stays, live] = [await store(), await store(), await store()]
    const job = await makeOwnJob(gone)
    await remove([gone, stays])
    expect((await empty({ ids: [gone, live] })).data).toEqual({ deleted: 1 })
    expect((await list()).recordings.map(({ id }) => id)).toEqual([stays])
    expect((await restore([gone])).error.code).toBe('not_found')
    await finishDeletions(stores())
    expect([await hasFile(gone), await hasFile(stays), await hasFile(live)]).toEqual([false, true, true])
    expect(await readJob(queue(), job.id)).toBeNull()
    expect((await empty({ ids: [gone] })).error.code).toBe('not_found')
  })

  test('is emptied of what was in it at a moment, not of what came since', async () => {
    const [seen, later] = [await store(), await store()]
    await remove([seen])
    const newest = (await list()).recordings[0]?.removed_at ?? ''
    await expect.poll(async () => (await readDatabaseTime(connection())).toISOString() > newest).toBe(true)
    await remove([later])
    expect((await empty({ removed_by: newest })).data).toEqual({ deleted: 1 })
    expect((await list()).recordings.map(({ id }) => id)).toEqual([later])
  })

  test('its recordings are in no list and no number of their cases until they are restored', async () => {
    const [id, other] = [await store(), await store()]
    const body = { name: 'Case of the trash' }
    const { data: made } = await server.call(api.cases.create, { body, token: token() })
    const params = { id: made.id }
    await server.call(api.cases.addRecordings, { params, body: { selection: { ids: [id, other] } }, token: token() })
    const shown = async () => {
      const { data } = await server.call(api.cases.listRecordings, { params, query: {}, token: token() })
      const { data: details } = await server.call(api.cases.get, { params, token: token() })
      return [data.recordings.map(({ recording }) => recording.id).toSorted(), data.total, details.recording_count]
    }
    await remove([id])
    expect(await shown()).toEqual([[other], 1, 1])
    await restore([id])
    expect(await shown()).toEqual([[id, other].toSorted(), 2, 2])
  })

  test.runIf(hasDatabaseClock)('retention deletes from it what is too old', async () => {
    const [old, young] = [await store(), await store()]
    await setRecordingCreatedAt(queue(), old, new Date(Date.now() - 40 * dayMs))
    await remove([old, young])
    await advanceDatabaseClock(connection(), 11 * minuteMs)
    expect((await removeExpired(stores(), 30)).recordings).toBe(1)
    expect([await hasFile(old), await hasFile(young)]).toEqual([false, true])
    expect((await list()).recordings.map(({ id }) => id)).toEqual([young])
  })

  test('what is stored counts with it, and is told its owner', async () => {
    const [removed] = [await store('removed', { sizeBytes: 5 }), await store('kept', { sizeBytes: 6 })]
    await remove([removed])
    const { data } = await server.call(api.library.storage, { token: token() })
    expect(data).toEqual({ used: 11, trash: 5, quota: null })
  })
})
