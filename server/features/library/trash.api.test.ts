import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { claimJob } from '#data/jobs/claim.ts'
import { completeJob } from '#data/jobs/lease.ts'
import { moveToTrash, restoreFromTrash } from '#data/library/trash.ts'
import { removeExpired } from '#data/recordings/expire.ts'
import { reconcileAudioStore } from '#data/recordings/reconcile-audio-store.ts'
import { openQuota } from '#data/recordings/quota.ts'
import { finishDeletions } from '#data/recordings/finish-deletions.ts'
import { purgeRemoved, purgeRemovedOf } from '#data/recordings/remove.ts'
import { hasDatabaseClock, setDatabaseClock } from '#testing/database.ts'
import { finishNextJob, makeJob, takeJob } from '#testing/jobs.ts'
import { settleLibrary } from '#testing/library.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { deleteAllJobs, readJob, setRecordingCreatedAt } from '#testing/stored-work.ts'
import { makeTranscription } from '#testing/work.ts'
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
  await deleteAllJobs(queue())
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

async function remove(ids: string[]) {
  return (await server.call(api.library.remove, { body: { selection: { ids } }, token: token() })).data
}

const restore = (ids: string[]) => server.call(api.library.restore, { body: { ids }, token: token() })
const read = (id: string) => server.call(api.recordings.get, { params: { id }, token: token() })

async function listIds() {
  const { recordings, total } = (await server.call(api.library.list, { query: {}, token: token() })).data
  expect(total).toBe(recordings.length)
  return recordings.map(({ id }) => id)
}

test('removed recordings are hidden everywhere at once and come back with everything', async () => {
  const id = await store('kept.wav')
  const other = await store()
  await makeOwnJob(id)
  await finishNextJob(queue(), makeTranscription(), ['ps'])
  await server.call(api.library.tag, { body: { selection: { ids: [id] }, add: ['mine'] }, token: token() })
  await server.call(api.editing.addNote, { params: { id }, body: { time: 1, text: 'a note' }, token: token() })
  const before = (await read(id)).data
  const { ids, removed, restorable_until } = await remove([id, id])
  expect({ ids, removed }).toEqual({ ids: [id], removed: 1 })
  expect(Date.parse(restorable_until) - Date.now()).toBeGreaterThan(29 * dayMs)
  expect(await listIds()).toEqual([other])
  expect((await read(id)).error.code).toBe('not_found')
  expect((await server.call(api.recordings.list, { token: token() })).data.total).toBe(1)
  expect((await server.call(api.recordings.stats, { token: token() })).data.totalFiles).toBe(1)
  await settleLibrary(connection())
  expect((await restore([id])).data).toEqual({ restored: 1 })
  expect((await read(id)).data).toEqual(before)
  const { recordings } = (await server.call(api.library.list, { query: { tags: 'mine' }, token: token() })).data
  expect(recordings).toMatchObject([{ id, state: 'done', tags: ['mine'] }])
  expect((await server.call(api.editing.listNotes, { params: { id }, token: token() })).data.notes).toHaveLength(1)
})

test('all that a filter shows but some is removed by one request', async () => {
  const [a, b, other] = [await store('call a'), await store('call b'), await store('other')]
  const body = { selection: { filter: { search: 'call' }, except: [a] } }
  expect((await server.call(api.library.remove, { body, token: token() })).data.ids).toEqual([b])
  expect((await listIds()).toSorted()).toEqual([a, other].toSorted())
})

test('what another tab removed already is left out; nothing left is 404', async () => {
  const [a, b] = [await store(), await store()]
  await remove([a])
  expect((await remove([a, b])).ids).toEqual([b])
  const body = { selection: { ids: [a, b] } }
  expect((await server.call(api.library.remove, { body, token: token() })).error.code).toBe('not_found')
  expect((await restore([a, b])).data).toEqual({ restored: 2 })
  expect((await restore([a, b])).error.code).toBe('not_found')
})

test('what follows is shown after two tabs have removed and restored a recording at one moment', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => store()))
  await Promise.all(Array.from({ length: 3 }, () => moveToTrash(queue(), user.id, ids)))
  await Promise.all(Array.from({ length: 3 }, () => restoreFromTrash(queue(), user.id, ids)))
  for (const id of ids) {
    await makeOwnJob(id)
    await finishNextJob(queue(), makeTranscription(), ['ps'])
  }
  await settleLibrary(connection())
  const { recordings } = (await server.call(api.library.list, { query: { languages: 'ps' }, token: token() })).data
  expect(recordings.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
})

test("another user's removed recordings are not restored", async () => {
  const id = await store()
  await remove([id])
  user = await server.createSignedIn()
  expect((await restore([id])).error.code).toBe('not_found')
})

describe('jobs of removed recordings', () => {
  test('waiting ones start only after the recording is restored, and take no room in the queue', async () => {
    const id = await store()
    const job = await makeOwnJob(id)
    await remove([id])
    expect(await claimJob(queue(), 'engine')).toBeNull()
    const next = await makeOwnJob(await store())
    const { data } = await server.call(api.jobs.get, { params: { id: next.id }, token: token() })
    expect(data.queue_position).toBe(1)
    await restore([id])
    expect(await claimJob(queue(), 'engine')).toMatchObject({ id: job.id })
  })

  test('one at work goes on, and its result is there when the recording is restored', async () => {
    const id = await store()
    await makeOwnJob(id)
    const job = await takeJob(queue())
    await remove([id])
    expect(await completeJob(queue(), job, { result: makeTranscription(), languages: ['ps'] })).toBe(true)
    await restore([id])
    expect((await read(id)).data).toMatchObject({ transcription_id: job.id, languages: ['ps'] })
  })

  test('they start again where a restoration was interrupted', async () => {
    const id = await store()
    const job = await makeOwnJob(id)
    await remove([id])
    await connection()
      .collection('recordings')
      .updateOne({ _id: toObjectId(id) }, { $set: { deletedAt: null }, $unset: { purgeAt: 1 }, $inc: { version: 1 } })
    await server.call(api.recordings.update, { params: { id }, body: { name: 'back' }, token: token() })
    await settleLibrary(connection())
    expect(await listIds()).toEqual([id])
    expect(await claimJob(queue(), 'engine')).toMatchObject({ id: job.id })
  })
})

describe.runIf(hasDatabaseClock)('the end of the time to restore', () => {
  test('deletes the file, the jobs and the entry, and nothing before', async () => {
    const [due, kept] = [await store(), await store()]
    const job = await makeOwnJob(due)
    await remove([due])
    await Promise.all([purgeRemoved(stores()), finishDeletions(stores())])
    expect(await hasFile(due)).toBe(true)
    await advanceDatabaseClock(connection(), 30 * dayMs + minuteMs)
    await remove([kept])
    expect((await restore([due])).error.code).toBe('not_found')
    await purgeRemoved(stores())
    expect([await hasFile(due), await hasFile(kept)]).toEqual([false, true])
    expect(await readJob(queue(), job.id)).toBeNull()
    const entry = await connection()
      .collection('library_entries')
      .findOne({ _id: toObjectId(due) })
    expect(entry).toMatchObject({
      isRemoved: true,
      foldedName: '',
      sortName: '',
      tags: [],
      deletedAt: expect.any(Date),
    })
    expect((await restore([kept])).data.restored).toBe(1)
    expect(await listIds()).toEqual([kept])
  })
})

test('nothing expires before its content was deleted, also in a database of an earlier version', async () => {
  const recordings = connection().collection('recordings')
  await recordings.createIndex({ deletedAt: 1 }, { expireAfterSeconds: 24 * 3600 })
  await Promise.all([ensureIndexes(connection()), ensureIndexes(connection())])
  const expiring = (await recordings.indexes()).filter(({ expireAfterSeconds }) => expireAfterSeconds !== undefined)
  expect(expiring.map(({ key }) => key)).toEqual([{ contentRemovedAt: 1 }])
})

test('a deletion that a crash interrupted is finished once, also of a version that did not say when', async () => {
  const id = await store()
  await makeOwnJob(id)
  await connection()
    .collection('recordings')
    .updateOne({ _id: toObjectId(id) }, { $set: { deletedAt: new Date(Date.now() - 3600_000) } })
  await finishDeletions(stores())
  expect(await hasFile(id)).toBe(false)
  const stored = await connection()
    .collection('recordings')
    .findOne({ _id: toObjectId(id) })
  expect(stored?.contentRemovedAt).toBeInstanceOf(Date)
})

test('retention and the check of files leave a recording for as long as its removal can be undone', async () => {
  const id = await store()
  await setRecordingCreatedAt(queue(), id, new Date(Date.now() - 40 * dayMs))
  await remove([id])
  await removeExpired(stores(), 30)
  const report = await reconcileAudioStore({ connection: connection(), audioStore: stores().audioStore })
  expect(report).toMatchObject({ orphans: 0, missing: 0 })
  expect(await hasFile(id)).toBe(true)
  expect((await restore([id])).data.restored).toBe(1)
  await removeExpired(stores(), 30)
  expect(await hasFile(id)).toBe(false)
})

test('removed recordings count against the quota, and give way to an upload', async () => {
  const [first, second] = [await store('first', { sizeBytes: 5 }), await store('second', { sizeBytes: 5 })]
  await remove([first])
  await remove([second])
  const quota = openQuota({
    connection: connection(),
    quotaBytes: 10,
    purgeRemoved: (ownerId, bytes) => purgeRemovedOf(stores(), ownerId, bytes),
  })
  const share = await quota.reserve(user.id, 4)
  expect([await hasFile(first), await hasFile(second)]).toEqual([false, true])
  expect((await restore([first, second])).data.restored).toBe(1)
  await expect(quota.reserve(user.id, 4)).rejects.toMatchObject({ code: 'disk_full' })
  await share.release()
})

test('removing a user deletes removed recordings too, and everything of the library', async () => {
  const [removed, other] = [await store(), await store()]
  await server.call(api.library.saveFilter, { body: { name: 'Mine', filter: {} }, token: token() })
  await remove([removed])
  await server.services.work.removeUserWork(user.id)
  expect([await hasFile(removed), await hasFile(other)]).toEqual([false, false])
  const owner = { ownerId: toObjectId(user.id) }
  for (const name of ['recordings', 'library_entries', 'saved_filters']) {
    expect(await connection().collection(name).countDocuments(owner)).toBe(0)
  }
  expect(await connection().collection('library_owners').countDocuments({ _id: owner.ownerId })).toBe(0)
})
