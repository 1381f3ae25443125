import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { maxSavedFilters, maxTags } from '#contract/library.ts'
import { toObjectId } from '#data/ids.ts'
import { finishNextJob, makeJob, takeJob } from '#testing/jobs.ts'
import { settleLibrary } from '#testing/library.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { setRecordingCreatedAt } from '#testing/stored-work.ts'
import { makeTranscription } from '#testing/work.ts'
import { storeTranscription, storeTranslation, transcribeParams } from './testing/store-texts.ts'

let server: TestServer
let user: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
})
afterAll(() => server.close())

const queue = () => server.services.work.queue
const connection = () => server.services.database.connection

function store(name: string, overrides: Parameters<typeof storeDocument>[1] = {}) {
  return storeDocument(connection(), { ownerId: user.id, name, ...overrides })
}

const transcribe = (recordingId: string, text: string, languages?: string[]) =>
  storeTranscription(queue(), { ownerId: user.id, recordingId }, { text, languages })

const settle = () => settleLibrary(connection())

async function list(query: QueryInput<typeof api.library.list> = {}) {
  return (await server.call(api.library.list, { query, token: user.accessToken })).data
}

const namesOf = async (query: QueryInput<typeof api.library.list> = {}) =>
  (await list(query)).recordings.map(({ name }) => name)

async function tag(ids: string[], add: string[], remove: string[] = []) {
  const body = { selection: { ids }, add, remove }
  return server.call(api.library.tag, { body, token: user.accessToken })
}

const readFacets = async () => (await server.call(api.library.facets, { token: user.accessToken })).data

test('an upload is listed at once, without an engine, with nothing done', async () => {
  const { id } = await store('first.wav')
  const { recordings, ...page } = await list()
  expect(page).toEqual({ total: 1, page: 1, per_page: 50, pages: 1 })
  expect(recordings).toMatchObject([
    {
      id,
      name: 'first.wav',
      state: 'new',
      tags: [],
      hits: { threats: 0, sentiment: 0, intent: 0, custom: 0 },
      job: null,
    },
  ])
})

test('sorts by name with numbers by their value, by duration and by the time of upload', async () => {
  await store('Call 10', { durationMs: 1 })
  await store('call 9', { durationMs: 3 })
  await store('Ball', { durationMs: 2 })
  expect(await namesOf()).toEqual(['Ball', 'call 9', 'Call 10'])
  expect(await namesOf({ sort: 'name', order: 'asc' })).toEqual(['Ball', 'call 9', 'Call 10'])
  expect(await namesOf({ sort: 'name', order: 'desc' })).toEqual(['Call 10', 'call 9', 'Ball'])
  expect(await namesOf({ sort: 'duration', order: 'desc' })).toEqual(['call 9', 'Ball', 'Call 10'])
  expect(await namesOf({ order: 'asc', page: 2, per_page: 2 })).toEqual(['Ball'])
  expect(await namesOf({ search: 'call', sort: 'name', order: 'asc', page: 2, per_page: 1 })).toEqual(['Call 10'])
})

test('finds part of a name in any case and in any Arabic spelling, also after it was renamed', async () => {
  const { id } = await store('مكالمة.wav')
  await store('other.wav')
  expect(await namesOf({ search: 'مکالمه' })).toEqual(['مكالمة.wav'])
  await server.call(api.recordings.update, { params: { id }, body: { name: 'Harbour' }, token: user.accessToken })
  expect(await namesOf({ search: 'HARB' })).toEqual(['Harbour'])
  expect(await namesOf({ search: 'مکالمه' })).toEqual([])
})

test('filters by the time of upload and by duration', async () => {
  const { id } = await store('old', { durationMs: 60_000 })
  await setRecordingCreatedAt(queue(), id, new Date('2026-01-02T00:00:00Z'))
  await server.call(api.recordings.update, { params: { id }, body: { name: 'old' }, token: user.accessToken })
  await settle()
  await store('new', { durationMs: 5_000 })
  expect(await namesOf({ to: '2026-01-03T00:00:00Z' })).toEqual(['old'])
  expect(await namesOf({ from: '2026-01-03T00:00:00Z' })).toEqual(['new'])
  expect(await namesOf({ min_duration: 30 })).toEqual(['old'])
  expect(await namesOf({ max_duration: '30' })).toEqual(['new'])
})

test('follows the state of jobs and filters by it', async () => {
  const recordings = await Promise.all(['new', 'failed', 'waiting', 'done'].map((name) => store(name)))
  const [, , waiting, done] = recordings
  await makeJob(queue(), { ownerId: user.id, recordingId: done?.id ?? '', params: transcribeParams })
  await finishNextJob(queue(), makeTranscription(), ['ps', 'en'])
  await makeJob(queue(), { ownerId: user.id, recordingId: waiting?.id ?? '', params: transcribeParams })
  await settle()
  expect(await namesOf({ states: ['waiting', 'done'], sort: 'state', order: 'asc' })).toEqual(['waiting', 'done'])
  expect(await namesOf({ languages: 'en' })).toEqual(['done'])
  await takeJob(queue())
  expect((await list({ search: 'waiting' })).recordings).toMatchObject([{ state: 'running' }])
  await settle()
  expect(await namesOf({ states: 'running' })).toEqual(['waiting'])
})

test('counts hits by the keywords of the owner, a word and its translation once, and again when keywords or lines change', async () => {
  const [hit, other, third] = [await store('hit'), await store('other'), await store('third')]
  const line = { text: 'دلته بم دی', translated: 'a bomb and money' }
  const transcriptionId = await transcribe(hit.id, line.text)
  await storeTranslation(queue(), { ownerId: user.id, recordingId: hit.id }, { transcriptionId, ...line })
  const otherText = await transcribe(other.id, 'هیڅ نشته')
  await transcribe(third.id, 'نشته')
  const body = { threats: ['بم', 'bomb'], sentiment: [], intent: ['money'], custom: [] }
  await server.call(api.keywords.replace, { body, token: user.accessToken })
  await settle()
  expect(await list({ sort: 'hits' })).toMatchObject({
    recordings: [
      { name: 'hit', hits: { threats: 1, sentiment: 0, intent: 1, custom: 0 } },
      { name: 'third', hits: { threats: 0, intent: 0 } },
      { name: 'other' },
    ],
  })
  expect(await namesOf({ categories: 'threats,custom' })).toEqual(['hit'])
  await server.call(api.keywords.add, {
    params: { category: 'custom' },
    body: { keyword: 'نشته' },
    token: user.accessToken,
  })
  const lines = [{ start: 0, end: 1, text: 'money, money' }]
  const edit = { transcription_id: otherText, revision: 0, changes: [{ from: [0], lines }] }
  const edited = await server.call(api.editing.changeLines, {
    params: { id: other.id },
    body: edit,
    token: user.accessToken,
  })
  expect(edited.data.revision).toBe(1)
  await settle()
  expect(await namesOf({ categories: ['custom'] })).toEqual(['third'])
  expect((await list({ search: 'other' })).recordings).toMatchObject([{ hits: { intent: 2, custom: 0 } }])
})

test('tags are shown, filtered by and counted at once; two tabs lose none of each other', async () => {
  const ids = (await Promise.all([store('a'), store('b'), store('c')])).map(({ id }) => id)
  const [a = '', b = ''] = ids
  const versionsOf = (...all: [id: string, version: number][]) =>
    expect.arrayContaining(all.map(([id, version]) => ({ recording_id: id, version })))
  const versions = versionsOf(...ids.map((id): [string, number] => [id, 2]))
  expect((await tag(ids, ['urgent', ' two  words '])).data).toEqual({ changed: 3, versions })
  await Promise.all([tag([a], ['first tab']), tag([a], ['second tab'])])
  expect((await tag([a, b], ['urgent'], ['two words', 'none'])).data).toEqual({
    changed: 2,
    versions: versionsOf([a, 6], [b, 4]),
  })
  expect((await list({ sort: 'name', order: 'asc', per_page: 1 })).recordings).toMatchObject([
    { tags: expect.arrayContaining(['urgent', 'first tab', 'second tab']) },
  ])
  expect(await namesOf({ tags: 'urgent,two words' })).toEqual(['c'])
  expect(await readFacets()).toMatchObject({
    total: 3,
    states: [{ state: 'new', count: 3 }],
    tags: expect.arrayContaining([
      { tag: 'urgent', count: 3 },
      { tag: 'two words', count: 1 },
    ]),
  })
  await settle()
  expect(await namesOf({ tags: 'first tab' })).toEqual(['a'])
})

test('shows what another server or engine wrote, also where its number became visible late', async () => {
  const { id, change } = await store('a')
  await store('b')
  expect(await namesOf({ sort: 'name', order: 'asc' })).toEqual(['a', 'b'])
  await store('c')
  await connection()
    .collection('library_entries')
    .updateOne({ _id: toObjectId(id) }, { $set: { change, tags: ['late'] }, $inc: { revision: 1 } })
  expect(await namesOf({ tags: 'late' })).toEqual(['a'])
})

test('a filter by state finds what was started or cancelled, without an engine', async () => {
  const { id } = await store('call')
  const { id: jobId } = await makeJob(queue(), { ownerId: user.id, recordingId: id, params: transcribeParams })
  expect(await namesOf({ states: 'waiting' })).toEqual(['call'])
  await settle()
  await server.call(api.jobs.cancel, { params: { id: jobId }, token: user.accessToken })
  expect(await namesOf({ states: 'waiting' })).toEqual([])
  expect(await readFacets()).toMatchObject({ states: [{ state: 'new', count: 1 }] })
})

test('filters by a case, for its members alone', async () => {
  const [inCase] = [await store('in the case'), await store('other')]
  const { id } = (await server.call(api.cases.create, { body: { name: 'Harbour' }, token: user.accessToken })).data
  const body = { selection: { ids: [inCase.id] } }
  await server.call(api.cases.addRecordings, { params: { id }, body, token: user.accessToken })
  expect(await namesOf({ case: id })).toEqual(['in the case'])
  user = await server.createSignedIn()
  await store('mine')
  expect(await namesOf({ case: id })).toEqual([])
})

test('a recording has at most so many tags: no recording is tagged then', async () => {
  const [full, other] = [await store('full'), await store('other')]
  const tags = Array.from({ length: maxTags }, (_, index) => `tag ${index}`)
  for (let at = 0; at < maxTags; at += 20) await tag([full.id], tags.slice(at, at + 20))
  expect((await tag([other.id, full.id], ['more'])).error).toMatchObject({ code: 'conflict' })
  expect(await namesOf({ tags: 'more' })).toEqual([])
  expect((await tag([full.id], ['more'], ['tag 0'])).data).toEqual({ changed: 1, versions: expect.any(Array) })
})

test('a selection by filter leaves out what it excepts', async () => {
  const [a] = [await store('call a'), await store('call b'), await store('other')]
  const body = { selection: { filter: { search: 'call' }, except: [a.id] }, add: ['chosen'] }
  const { data } = await server.call(api.library.tag, { body, token: user.accessToken })
  expect(data).toEqual({ changed: 1, versions: expect.any(Array) })
  expect(await namesOf({ tags: 'chosen' })).toEqual(['call b'])
})

test('recordings of older versions are listed before any engine has seen them', async () => {
  const { id } = await store('old')
  await transcribe(id, 'text', ['ur'])
  const owner = toObjectId(user.id)
  await connection().collection('library_entries').deleteMany({ ownerId: owner })
  expect(await namesOf({ languages: 'ur', states: 'done' })).toEqual(['old'])
  expect((await list()).total).toBe(1)
})

test('saves filters by name, replaces one of the same name, and deletes it', async () => {
  const save = (name: string, tags: string[]) =>
    server.call(api.library.saveFilter, { body: { name, filter: { tags }, sort: 'hits' }, token: user.accessToken })
  const listSaved = async () => (await server.call(api.library.listFilters, { token: user.accessToken })).data.filters
  await save('Zebra', [])
  const { id } = (await save('Urgent', ['a'])).data
  await save('Urgent', ['b'])
  expect(await listSaved()).toMatchObject([
    { id, name: 'Urgent', filter: { tags: ['b'] }, sort: 'hits', order: 'desc' },
    { name: 'Zebra' },
  ])
  const remove = () => server.call(api.library.removeFilter, { params: { id }, token: user.accessToken })
  expect((await remove()).status).toBe(200)
  expect((await remove()).error).toMatchObject({ code: 'not_found' })
  for (let count = 1; count < maxSavedFilters; count += 1) await save(`filter ${count}`, [])
  expect((await save('one more', [])).error).toMatchObject({ code: 'conflict' })
  expect((await save('Zebra', ['c'])).status).toBe(201)
})

test("other users' recordings are never listed, counted, tagged or removed", async () => {
  const { id } = await store('mine')
  await tag([id], ['secret'])
  const saved = { body: { name: 'Mine', filter: {} }, token: user.accessToken }
  const { id: filterId } = (await server.call(api.library.saveFilter, saved)).data
  const owner = user
  user = await server.createSignedIn()
  const own = await store('theirs')
  expect(await namesOf()).toEqual(['theirs'])
  expect(await readFacets()).toMatchObject({ total: 1, tags: [] })
  expect((await server.call(api.library.listFilters, { token: user.accessToken })).data.filters).toEqual([])
  const removal = { params: { id: filterId }, token: user.accessToken }
  expect((await server.call(api.library.removeFilter, removal)).error).toMatchObject({ code: 'not_found' })
  expect((await tag([id], ['taken'])).error).toMatchObject({ code: 'not_found' })
  expect((await tag([id, own.id], ['taken'])).data).toEqual({
    changed: 1,
    versions: [{ recording_id: own.id, version: 2 }],
  })
  const body = { selection: { ids: [id, own.id] } }
  expect((await server.call(api.library.remove, { body, token: user.accessToken })).data.ids).toEqual([own.id])
  user = owner
  expect((await list()).recordings).toMatchObject([{ name: 'mine', tags: ['secret'] }])
})

test.each([
  ['an unknown state', { states: 'lost' }],
  ['a date that is none', { from: 'yesterday' }],
  ['a negative duration', { min_duration: -1 }],
  ['too long a page', { per_page: 201 }],
])('refuses %s', async (_, query) => {
  const refused = await server.call(api.library.list, { query: query as never, token: user.accessToken })
  expect(refused.error).toMatchObject({ code: 'invalid_input' })
})
