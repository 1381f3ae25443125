import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { alertModel, type AlertDocument } from '#data/alerts/alert-model.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { WatchedCalls } from './testing/watched-calls.ts'

/** More than one command can change within its time limit: the calls of a few weeks. */
const alertCount = 10_227

let server: TestServer
let user: SignedInUser
let calls: WatchedCalls
let watchListId: string

beforeAll(async () => {
  server = await startTestServer()
  user = await server.createSignedIn()
  calls = new WatchedCalls(server, user)
  watchListId = (await calls.watch()).id
  await storeAlerts(await calls.record([]))
})
afterAll(() => server.close())

async function storeAlerts(recordingId: string): Promise<void> {
  const createdAt = new Date()
  const makeAlert = (_: unknown, number: number): AlertDocument => ({
    _id: toObjectId(newId()),
    ownerId: toObjectId(user.id),
    watchListId: toObjectId(watchListId),
    recordingId: toObjectId(recordingId),
    key: `${number}`,
    jobId: null,
    timeMs: number,
    side: null,
    speaker: null,
    language: 'en',
    word: 'river',
    category: null,
    isSimilar: false,
    isTranslation: false,
    sentence: 'we meet at the river',
    markStart: 15,
    markEnd: 20,
    state: 'new',
    isGone: false,
    isHidden: false,
    isDigestDue: true,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 86_400_000),
  })
  const alerts = Array.from({ length: alertCount }, makeAlert)
  for (let at = 0; at < alertCount; at += 500) {
    await alertModel(server.services.database.connection).collection.insertMany(alerts.slice(at, at + 500))
  }
}

/** Enough for tens of thousands of writes, even on a busy machine. */
const timeout = 240_000

test(
  'all alerts of a filter are dismissed, and the change is undone, however many there are',
  { timeout },
  async () => {
    const { accessToken: token } = user
    const body = { selection: { filter: {} }, state: 'dismissed' as const }
    const { data } = await server.call(api.alerts.setState, { body, token })
    expect(data.changed).toBe(alertCount)
    expect(await calls.unread()).toBe(0)
    const undone = await server.call(api.alerts.undo, { body: { change_id: data.change_id }, token })
    expect(undone.data.changed).toBe(alertCount)
    expect(await calls.unread()).toBe(alertCount)
  },
)

test(
  'the alerts of a recording are hidden and shown with it, and those of a list deleted, however many',
  { timeout },
  async () => {
    const { accessToken: token } = user
    const [alert] = (await calls.list({ limit: 1 })).alerts
    const ids = [alert?.recording.id ?? '']
    await server.call(api.library.remove, { body: { selection: { ids } }, token })
    expect(await calls.unread()).toBe(0)
    await server.call(api.library.restore, { body: { ids }, token })
    expect(await calls.unread()).toBe(alertCount)
    const removed = await server.call(api.alerts.removeWatchList, { params: { id: watchListId }, token })
    expect(removed.status).toBe(200)
    expect(await calls.unread()).toBe(0)
  },
)
