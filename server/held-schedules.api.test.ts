import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { reconcileCaseHolds } from '#data/holds/case-holds.ts'
import { moveToTrash } from '#data/library/trash.ts'
import { removeExpired } from '#data/recordings/expire.ts'
import { openQuota } from '#data/recordings/quota.ts'
import { reconcileAudioStore } from '#data/recordings/reconcile-audio-store.ts'
import { finishDeletions } from '#data/recordings/finish-deletions.ts'
import { purgeRemoved, purgeRemovedOf, removeUserWork } from '#data/recordings/remove.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { setRecordingCreatedAt } from '#testing/stored-work.ts'
import { makeWorkedOn, putOnHold, readAllStored, type RecordingWithWork } from '#testing/recording-with-work.ts'

// Automatic deletions, while a recording or its case is on legal hold.
let server: TestServer
let made: RecordingWithWork
let superAdmin: SignedInUser

const connection = () => server.services.database.connection
const queue = () => server.services.work.queue
const stores = () => ({ queue: queue(), audioStore: server.services.work.audioStore })
const snapshot = () => readAllStored(server, made)

beforeAll(async () => {
  server = await startTestServer()
  superAdmin = await server.createSignedIn({ role: 'super_admin' })
})
afterAll(() => server.close())

describe.each(['recording', 'case'] as const)('with a hold of the %s', (kind) => {
  beforeEach(async () => {
    made = await makeWorkedOn(server)
    await putOnHold(server, made, kind)
  })

  test.each([
    ['the schedule of retention', () => removeExpired(stores(), 1)],
    ['the purge of the trash', () => purgeRemoved(stores())],
    ['finishing deletions', () => finishDeletions(stores())],
    ['the comparison of the audio files', () => reconcileAudioStore({ ...stores(), connection: connection() })],
    ['the comparison of the holds', () => reconcileCaseHolds(queue())],
    ['an upload beyond the quota', () => purgeRemovedOf(stores(), made.owner.id, 1e9)],
    ['moving to the trash', () => moveToTrash(queue(), made.owner.id, [made.recordingId])],
    ['the last step of deleting an account', () => removeUserWork(stores(), made.owner.id).catch(() => undefined)],
  ])('%s removes nothing', async (_name, run) => {
    await setRecordingCreatedAt(queue(), made.recordingId, new Date(Date.now() - 400 * 24 * 3600 * 1000))
    const before = await snapshot()
    await run()
    expect(await snapshot()).toEqual(before)
  })

  test('the days of a case remove nothing', async () => {
    const params = { id: made.caseId }
    await server.call(api.retention.setCaseDays, { params, body: { days: 1 }, token: superAdmin.accessToken })
    await setRecordingCreatedAt(queue(), made.recordingId, new Date(Date.now() - 3 * 24 * 3600 * 1000))
    const before = await snapshot()
    expect((await removeExpired(stores(), 0)).recordings).toBe(0)
    expect(await snapshot()).toEqual(before)
  })

  test('a full quota refuses the upload rather than make room', async () => {
    const makeRoom = (ownerId: string, bytes: number) => purgeRemovedOf(stores(), ownerId, bytes)
    const before = await snapshot()
    const quota = openQuota({ connection: connection(), quotaBytes: 10, purgeRemoved: makeRoom })
    await expect(quota.reserve(made.owner.id, 5)).rejects.toMatchObject({ code: 'disk_full' })
    expect(await snapshot()).toEqual(before)
  })
})
