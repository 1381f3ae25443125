import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'
import { toSegments, WatchedCalls } from './testing/watched-calls.ts'

let server: TestServer
let calls: WatchedCalls

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  calls = new WatchedCalls(server, await server.createSignedIn())
})
afterAll(() => server.close())

const river = 'we meet at the river tonight'

test('each hit of a finished job becomes an alert with its place, word and sentence', async () => {
  const { id, name } = await calls.watch()
  const recordingId = await calls.record(['nothing here', river, 'the River again'])
  const alerts = await calls.settle()
  expect(alerts.map(({ time }) => time)).toEqual([10, 20])
  expect(alerts[0]).toMatchObject({
    watch_list: { id, name },
    recording: { id: recordingId, name: 'call.wav', is_capped: false },
    word: 'river',
    category: null,
    language: 'en',
    sentence: river,
    mark: [15, 20],
    state: 'new',
    is_gone: false,
    is_translation: false,
  })
  expect(await calls.unread()).toBe(2)
})

test('a category follows the keywords of the owner, and a word and its translation are one hit', async () => {
  const keyword = { params: { category: 'threats' as const }, token: calls.token }
  for (const word of ['بم', 'bomb']) await server.call(api.keywords.add, { ...keyword, body: { keyword: word } })
  await calls.watch({ categories: ['threats'], words: [] })
  const recordingId = await calls.record([])
  const lines = toSegments(['بم راوړه', 'سلام', 'ښه']).map((line, index) => {
    return { ...line, translated: ['bring the bomb', 'hello', 'a bomb'][index] ?? '' }
  })
  const transcriptionId = await calls.transcribe(recordingId, lines)
  await calls.translate(recordingId, transcriptionId, lines)
  const alerts = await calls.settle()
  expect(alerts.map(({ word, time, is_translation }) => [word, time, is_translation])).toEqual([
    ['بم', 0, false],
    ['bomb', 20, true],
  ])
  expect(alerts[0]?.category).toBe('threats')
})

test('a repeated job raises nothing twice, a dismissed alert stays dismissed, and a new hit is new', async () => {
  await calls.watch()
  const recordingId = await calls.record([river])
  const [first] = await calls.settle()
  await calls.mark([first?.id ?? ''], 'dismissed')
  await calls.transcribe(recordingId, toSegments([river, 'another river'], { delay: 1.5 }))
  const alerts = await calls.settle({ state: 'all' })
  expect(alerts.map(({ time, state }) => [time, state])).toEqual([
    [11.5, 'new'],
    [0, 'dismissed'],
  ])
  await calls.transcribe(recordingId, toSegments([river, 'another river'], { delay: 5 }))
  expect(await calls.settle({ state: 'new' })).toHaveLength(2)
})

test('thresholds, tags and texts decide what alerts, and a list that is off raises nothing', async () => {
  await calls.watch({ name: 'Threshold', threshold: 2 })
  await calls.watch({ name: 'Tagged', tags: ['harbour'] })
  await calls.watch({ name: 'Translations', texts: 'translation' })
  await calls.watch({ name: 'Off', is_on: false })
  await calls.record([river])
  expect(await calls.settle()).toEqual([])
  await calls.record([river, river], { tags: ['Harbour', 'harbour'] })
  const names = (await calls.settle()).map((alert) => alert.watch_list.name)
  expect(names.toSorted()).toEqual(['Tagged', 'Tagged', 'Threshold', 'Threshold'])
})

test('a watch list applies to what finishes after it was added or switched on', async () => {
  await calls.record([river])
  const { id } = await calls.watch()
  const { id: sleeping } = await calls.watch({ name: 'Sleeping', is_on: false })
  expect(await calls.settle()).toEqual([])
  await calls.record([river])
  const body = { name: 'Awake', words: ['river'], is_on: true }
  await server.call(api.alerts.changeWatchList, { params: { id: sleeping }, body, token: calls.token })
  const alerts = await calls.settle()
  expect(alerts.map((alert) => alert.watch_list.id)).toEqual([id])
})

test('states change one by one and for all of a filter, and can be undone', async () => {
  const { id } = await calls.watch()
  await calls.watch({ name: 'Seas', words: ['sea'] })
  await calls.record([river, 'the sea', river])
  const alerts = await calls.settle()
  const ids = alerts.map((alert) => alert.id)
  expect(await calls.mark(ids.slice(0, 1), 'reviewed')).toMatchObject({ changed: 1 })
  expect(await calls.mark(ids.slice(0, 1), 'reviewed')).toMatchObject({ changed: 0 })
  const body = { selection: { filter: { watch_list: id, state: 'all' as const } }, state: 'dismissed' as const }
  const { data } = await server.call(api.alerts.setState, { body, token: calls.token })
  expect(data.changed).toBe(2)
  expect(await calls.unread()).toBe(1)
  const undo = { body: { change_id: data.change_id }, token: calls.token }
  expect((await server.call(api.alerts.undo, undo)).data.changed).toBe(2)
  expect((await calls.list({ state: 'all' })).alerts.map(({ state }) => state)).toEqual(['reviewed', 'new', 'new'])
  expect((await server.call(api.alerts.undo, undo)).data.changed).toBe(0)
})

test('the inbox is filtered and read in pages', async () => {
  const { id } = await calls.watch({ categories: ['custom'], words: ['river'] })
  await server.call(api.keywords.add, {
    params: { category: 'custom' },
    body: { keyword: 'sea' },
    token: calls.token,
  })
  const recordingId = await calls.record([river, 'the sea'])
  await calls.record([river])
  await calls.settle()
  const words = async (query: Parameters<WatchedCalls['list']>[0]) =>
    (await calls.list(query)).alerts.map(({ word }) => word)
  expect(await words({ category: 'own' })).toEqual(['river', 'river'])
  expect(await words({ category: 'custom', watch_list: id })).toEqual(['sea'])
  expect(await words({ recording: recordingId })).toEqual(['river', 'sea'])
  const first = await calls.list({ limit: 2 })
  expect(first).toMatchObject({ total: 3, alerts: [{}, {}] })
  const second = await calls.list({ limit: 2, cursor: first.cursor ?? '' })
  expect(second).toMatchObject({ total: 3, cursor: null, alerts: [{}] })
})

test('an alert whose line was edited is kept as gone, and is new again when the edit is undone', async () => {
  await calls.watch()
  const recordingId = await calls.record([])
  const segments = toSegments([river])
  const transcriptionId = await calls.transcribe(recordingId, segments)
  await calls.settle()
  const change = (text: string, revision: number) =>
    server.call(api.editing.changeLines, {
      params: { id: recordingId },
      body: {
        transcription_id: transcriptionId,
        revision,
        changes: [{ from: [0], lines: [{ start: 0, end: 3, text }] }],
      },
      token: calls.token,
    })
  await change('we meet at the mill', 0)
  expect(await calls.settle()).toEqual([])
  expect(await calls.list({ state: 'gone' })).toMatchObject({ total: 1, alerts: [{ is_gone: true, sentence: river }] })
  await change(river, 1)
  expect(await calls.settle()).toMatchObject([{ is_gone: false }])
})

test('alerts are hidden in the trash, shown again, and deleted with their recording', async () => {
  await calls.watch()
  const recordingId = await calls.record([river])
  await calls.settle()
  const { token } = calls
  await server.call(api.library.remove, { body: { selection: { ids: [recordingId] } }, token })
  expect(await calls.unread()).toBe(0)
  expect(await calls.settle({ state: 'all' })).toEqual([])
  await server.call(api.library.restore, { body: { ids: [recordingId] }, token })
  expect(await calls.unread()).toBe(1)
  await server.call(api.recordings.remove, { params: { id: recordingId }, token })
  expect(await calls.settle({ state: 'all' })).toEqual([])
})

test('alerts of another user are neither listed nor changed', async () => {
  const other = new WatchedCalls(server, await server.createSignedIn())
  await calls.watch()
  await calls.record([river])
  const [alert] = await calls.settle()
  expect(await other.list({ state: 'all' })).toMatchObject({ total: 0 })
  expect(await other.unread()).toBe(0)
  const { changed, change_id } = await other.mark([alert?.id ?? ''], 'dismissed')
  expect(changed).toBe(0)
  const own = await calls.mark([alert?.id ?? ''], 'dismissed')
  const undo = (id: string) => server.call(api.alerts.undo, { body: { change_id: id }, token: other.token })
  expect((await undo(change_id)).data.changed).toBe(0)
  expect((await undo(own.change_id)).data.changed).toBe(0)
  expect(await calls.unread()).toBe(0)
})
