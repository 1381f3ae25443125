import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { insertMissingEvents } from '#data/audit/recording-events.ts'
import { auditEventModel } from '#data/audit/audit-event-model.ts'
import { toObjectId } from '#data/ids.ts'
import { removeExpired } from '#data/recordings/expire.ts'
import { finishDeletions } from '#data/recordings/finish-deletions.ts'
import { purgeRemoved, purgeRemovedOf, removeRecording } from '#data/recordings/remove.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { setRecordingCreatedAt } from '#testing/stored-work.ts'

let server: TestServer
let owner: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  owner = await server.createSignedIn()
})
afterAll(() => server.close())

const connection = () => server.services.database.connection
const queue = () => server.services.work.queue
const stores = () => ({ queue: queue(), audioStore: server.services.work.audioStore })
const as = ({ accessToken: token }: SignedInUser) => ({ token })
const store = async () => (await storeDocument(connection(), { ownerId: owner.id })).id
const remove = (ids: string[]) => server.call(api.library.remove, { ...as(owner), body: { selection: { ids } } })

/** Returns the stored entries of a recording, even a deleted one, oldest first. */
const readStored = (id: string) =>
  auditEventModel(connection())
    .find({ recordingId: toObjectId(id) })
    .sort({ _id: 1 })
    .lean()

test('a deletion for good leaves an entry with a readable subject', async () => {
  const id = await store()
  await setRecordingCreatedAt(queue(), id, new Date('2026-11-20T14:03:09Z'))
  await server.call(api.recordings.remove, { ...as(owner), params: { id } })
  expect(await readStored(id)).toMatchObject([
    {
      action: 'recording.delete',
      actor: owner.email,
      ip: '127.0.0.1',
      target: `recording of ${owner.email}, uploaded 2026-11-20 14:03 UTC`,
    },
  ])
})

test('a bulk of 200 deletions is one insert command', async () => {
  const ids = await Promise.all(Array.from({ length: 200 }, () => store()))
  const insert = vi.spyOn(auditEventModel(connection()), 'insertMany')
  expect((await remove(ids)).data.removed).toBe(200)
  expect(insert.mock.calls.map(([documents]) => [documents].flat().length)).toEqual([200])
  insert.mockRestore()
  expect(await readStored(ids[199] ?? '')).toMatchObject([{ action: 'recording.trash', actor: owner.email }])
})

test('schedules say which rule deleted a recording, by nobody', async () => {
  const [old, trashed, crowded] = [await store(), await store(), await store()]
  await setRecordingCreatedAt(queue(), old, new Date(Date.now() - 40 * 24 * 3600_000))
  await removeExpired(stores(), 30)
  await remove([trashed])
  await connection()
    .collection('recordings')
    .updateOne({ _id: toObjectId(trashed) }, { $set: { purgeAt: new Date(1) } })
  await purgeRemoved(stores())
  await remove([crowded])
  await purgeRemovedOf(stores(), owner.id, 1)
  const lastOf = async (id: string) => (await readStored(id)).at(-1)
  expect(await lastOf(old)).toMatchObject({
    details: 'retention of 30 days by setting',
    actor: '',
    actorId: null,
    ip: '',
  })
  expect(await lastOf(trashed)).toMatchObject({ action: 'recording.delete', details: 'trash', actorId: null })
  expect(await lastOf(crowded)).toMatchObject({ action: 'recording.delete', details: 'quota', actorId: null })
})

test('a deletion whose entry cannot be written is finished later, with its entry, once', async () => {
  const id = await store()
  const insert = vi.spyOn(auditEventModel(connection()), 'insertMany').mockRejectedValueOnce(new Error('disk full'))
  await expect(removeRecording(stores(), owner.id, id)).rejects.toThrow('disk full')
  insert.mockRestore()
  expect(await readStored(id)).toEqual([])
  expect((await server.call(api.recordings.get, { ...as(owner), params: { id } })).status).toBe(404)
  await finishDeletions(stores())
  expect(await readStored(id)).toEqual([])
  await setDeletedLongAgo(id)
  for (let times = 0; times < 2; times += 1) await finishDeletions(stores())
  expect(await readStored(id)).toMatchObject([{ action: 'recording.delete', details: 'interrupted' }])
})

test('two engines that finish a deletion at once write one entry', async () => {
  const id = await store()
  const insert = vi.spyOn(auditEventModel(connection()), 'insertMany').mockRejectedValueOnce(new Error('disk full'))
  await expect(removeRecording(stores(), owner.id, id)).rejects.toThrow('disk full')
  insert.mockRestore()
  await setDeletedLongAgo(id)
  // All of them look for an entry before any writes one.
  const [recording] = await connection()
    .collection('recordings')
    .find({ _id: toObjectId(id) })
    .toArray()
  const audited = { id, ownerId: owner.id, createdAt: recording?.createdAt as Date, deletedAt: new Date(1000) }
  const event = { action: 'recording.delete', details: 'interrupted', doneAt: () => audited.deletedAt }
  await Promise.all([1, 2, 3].map(() => insertMissingEvents(connection(), [audited], event)))
  expect(await readStored(id)).toMatchObject([{ action: 'recording.delete', details: 'interrupted' }])
})

test('a deletion under way is not taken for an interrupted one: its entry says who deleted', async () => {
  const id = await store()
  const model = auditEventModel(connection())
  const insertMany = model.insertMany.bind(model) as (...args: unknown[]) => Promise<never>
  const insert = vi.spyOn(model, 'insertMany').mockImplementationOnce((async (...args: unknown[]) => {
    insert.mockRestore()
    await finishDeletions(stores())
    return insertMany(...args)
  }) as never)
  await removeRecording(stores(), owner.id, id, { details: 'by hand' })
  expect(await readStored(id)).toMatchObject([{ action: 'recording.delete', details: 'by hand' }])
})

test('what must go is removed although the audit trail takes no entry', async () => {
  const id = await store()
  const insert = vi.spyOn(auditEventModel(connection()), 'insertMany').mockRejectedValue(new Error('disk full'))
  await expect(removeRecording(stores(), owner.id, id)).rejects.toThrow('disk full')
  await setDeletedLongAgo(id)
  await expect(finishDeletions(stores())).rejects.toThrow('disk full')
  insert.mockRestore()
  const left = await connection()
    .collection('recordings')
    .findOne({ _id: toObjectId(id) })
  expect(left?.contentRemovedAt).toBeInstanceOf(Date)
})

test('emptying the trash leaves an entry for each recording, by its owner, and no second one when it is finished', async () => {
  const ids = await Promise.all([store(), store()])
  await remove(ids)
  const insert = vi.spyOn(auditEventModel(connection()), 'insertMany')
  await server.call(api.library.emptyTrash, { ...as(owner), body: { ids } })
  expect(insert).toHaveBeenCalledOnce()
  insert.mockRestore()
  await finishDeletions(stores())
  for (const id of ids) {
    const deleted = (await readStored(id)).filter(({ action }) => action === 'recording.delete')
    expect(deleted).toMatchObject([{ actor: owner.email, details: '' }])
  }
})

async function setDeletedLongAgo(id: string) {
  await connection()
    .collection('recordings')
    .updateOne({ _id: toObjectId(id) }, { $set: { deletedAt: new Date(Date.now() - 3600_000) } })
}
