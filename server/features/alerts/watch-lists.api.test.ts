import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { maxWatchLists } from '#contract/alerts.ts'
import { newId } from '#data/ids.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { WatchedCalls } from './testing/watched-calls.ts'

let server: TestServer
let calls: WatchedCalls

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  calls = new WatchedCalls(server, await server.createSignedIn())
})
afterAll(() => server.close())

const lists = async (of = calls) => (await server.call(api.alerts.listWatchLists, { token: of.token })).data.watch_lists

async function settleScan() {
  do await calls.settle()
  while ((await lists()).some(({ scan }) => scan?.state === 'running'))
}

const river = 'we meet at the river'

test('watch lists are added, changed and deleted with their alerts', async () => {
  const { token } = calls
  const added = await calls.watch({ words: [' River ', 'river'], categories: ['threats'], threshold: 1 })
  expect(added).toMatchObject({ words: ['river'], texts: 'both', is_on: true, unread: 0, scan: null })
  await calls.record([river])
  await calls.settle()
  expect(await lists()).toMatchObject([{ id: added.id, unread: 1 }])
  const params = { id: added.id }
  const body = { name: 'Seas', words: ['sea'] }
  const changed = (await server.call(api.alerts.changeWatchList, { params, body, token })).data
  expect(changed).toMatchObject({ id: added.id, name: 'Seas', words: ['sea'], categories: [], unread: 1 })
  expect((await server.call(api.alerts.removeWatchList, { params, token })).status).toBe(200)
  expect(await lists()).toEqual([])
  expect(await calls.list({ state: 'all' })).toMatchObject({ total: 0 })
})

test('a watch list needs something to watch for, a name of its own, and room', async () => {
  const { token } = calls
  const add = (name: string, words: string[]) => server.call(api.alerts.addWatchList, { body: { name, words }, token })
  expect((await add('Empty', [])).error.error).toBe('Choose a category or add a word')
  await add('Rivers', ['river'])
  expect((await add('Rivers', ['stream'])).error.error).toBe('You have a watch list of this name already')
  const { id } = (await add('Seas', ['sea'])).data
  const body = { name: 'Rivers', words: ['sea'] }
  expect((await server.call(api.alerts.changeWatchList, { params: { id }, body, token })).status).toBe(409)
  for (let count = 2; count < maxWatchLists; count += 1) await add(`List ${count}`, ['word'])
  expect((await add('One more', ['word'])).error.error).toBe('You can have at most 50 watch lists')
})

test('the library is scanned for what was finished before, once, with its progress', async () => {
  const recordingIds = [
    await calls.record([river, river]),
    await calls.record(['nothing']),
    await calls.record([river]),
  ]
  const { id } = await calls.watch()
  await calls.settle()
  const scan = () => server.call(api.alerts.startScan, { params: { id }, token: calls.token })
  expect((await scan()).data.scan).toEqual({ state: 'running', done: 0, total: 3, raised: 0 })
  expect((await scan()).error.error).toBe('Your library is being scanned for this watch list already')
  await settleScan()
  const { alerts } = await calls.list()
  expect(alerts.map((alert) => alert.recording.id)).toEqual([recordingIds[2], recordingIds[0], recordingIds[0]])
  expect(await lists()).toMatchObject([{ unread: 3, scan: { state: 'done', done: 3, total: 3, raised: 3 } }])
  await scan()
  await settleScan()
  expect(await lists()).toMatchObject([{ unread: 3, scan: { state: 'done', raised: 0 } }])
})

test('a scan stops when it is cancelled', async () => {
  await calls.record([river])
  const { id } = await calls.watch()
  const input = { params: { id }, token: calls.token }
  await server.call(api.alerts.startScan, input)
  expect((await server.call(api.alerts.cancelScan, input)).data.scan).toMatchObject({ state: 'cancelled' })
  expect(await calls.settle()).toEqual([])
})

test('watch lists of another user, and those that are not there, are not found', async () => {
  const { id: own } = await calls.watch()
  const { accessToken: token } = await server.createSignedIn()
  const body = { name: 'Mine', words: ['river'] }
  for (const id of [own, newId()]) {
    const params = { id }
    expect((await server.call(api.alerts.changeWatchList, { params, body, token })).status).toBe(404)
    expect((await server.call(api.alerts.removeWatchList, { params, token })).status).toBe(404)
    expect((await server.call(api.alerts.startScan, { params, token })).status).toBe(404)
    expect((await server.call(api.alerts.cancelScan, { params, token })).status).toBe(404)
  }
  expect(await lists()).toHaveLength(1)
})
