import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { QueryInput } from '#contract/endpoint.ts'
import { newId } from '#data/ids.ts'
import { settleLibrary } from '#testing/library.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { setRecordingCreatedAt, storeFinishedJob } from '#testing/stored-work.ts'
import { makeTranscription, makeTranslation } from '#testing/work.ts'

let server: TestServer
let user: SignedInUser
/** Whether anything was stored that an engine would still have to process. */
let isChanged = false

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
})
afterAll(() => server.close())

const connection = () => server.services.database.connection

/** Stores a recording whose transcript has these lines, two seconds each, alternating between two speakers. */
async function store(name: string, lines: string[], ownerId = user.id) {
  isChanged = true
  const { id } = await storeDocument(connection(), { ownerId, name, durationMs: 60_000 })
  const transcriptionId = await transcribe(id, lines, ownerId)
  return { id, transcriptionId }
}

function transcribe(recordingId: string, lines: string[], ownerId = user.id): Promise<string> {
  const segments = lines.map((text, index) => {
    const speaker = index % 2 ? 'Speaker B' : 'Speaker A'
    return {
      start: index * 2,
      end: index * 2 + 2,
      text,
      speaker,
      channel: index % 2,
      language: index % 2 ? 'ur' : 'ps',
    }
  })
  return storeFinishedJob(server.services.work.queue, {
    ownerId,
    recordingId,
    params: { kind: 'transcribe', language: 'auto', channelLanguages: null },
    workKey: newId(),
    outcome: { result: makeTranscription({ segments, speaker_transcriptions: [] }), languages: ['ps'] },
  })
}

async function find(q: string, query: Partial<QueryInput<typeof api.search.find>> = {}) {
  if (isChanged) await settleLibrary(connection())
  isChanged = false
  return (await server.call(api.search.find, { query: { q, ...query }, token: user.accessToken })).data
}

/** Returns the texts of the lines found in all calls, in order. */
async function textsOf(q: string, query: Partial<QueryInput<typeof api.search.find>> = {}) {
  return (await find(q, query)).calls.flatMap(({ lines }) => lines.map(({ text }) => text))
}

async function namesOf(q: string, query: Partial<QueryInput<typeof api.search.find>> = {}) {
  return (await find(q, query)).calls.map(({ recording }) => recording.name)
}

test('a line is found with its time, its speaker, what matches in it and the lines beside it', async () => {
  const { id } = await store('call.wav', ['we meet at noon', 'Bring the parcel to the market.', 'agreed'])
  const { calls, total_calls } = await find('parcel')
  expect(total_calls).toBe(1)
  expect(calls).toMatchObject([
    {
      recording: { id, name: 'call.wav', duration: 60, language: 'ps' },
      is_in_one_line: true,
      total: 1,
      lines: [
        {
          kind: 'line',
          start: 2,
          end: 4,
          speaker: 'Speaker B',
          language: 'ur',
          text: 'Bring the parcel to the market.',
          marks: [[10, 16]],
          before: 'we meet at noon',
          after: 'agreed',
        },
      ],
    },
  ])
})

test('words need not be written as they are in the text', async () => {
  await store('call.wav', ['كراچي بازار ته ځم', 'من می‌خواهم بروم', 'ساعت ۱۲ شب', 'Café au lait'])
  expect(await textsOf('کراچی')).toEqual(['كراچي بازار ته ځم'])
  expect(await textsOf('میخواهم')).toEqual(['من می‌خواهم بروم'])
  expect(await textsOf('"می خواهم بروم"')).toEqual(['من می‌خواهم بروم'])
  expect(await textsOf('12')).toEqual(['ساعت ۱۲ شب'])
  expect(await textsOf('cafe')).toEqual(['Café au lait'])
})

test('phrases, beginnings of words and excluded words choose among lines', async () => {
  const lines = ['the blue car', 'the car is blue', 'bluebird in the car', 'car']
  await store('call.wav', lines)
  expect(await textsOf('blue car')).toEqual([lines[0], lines[1]])
  expect(await textsOf('"blue car"')).toEqual([lines[0]])
  expect(await textsOf('blue*')).toEqual([lines[0], lines[1], lines[2]])
  expect(await textsOf('"the blue*"')).toEqual([lines[0]])
  expect(await textsOf('car -blue*')).toEqual([lines[3]])
  expect(await textsOf('car -"is blue"')).toEqual([lines[0], lines[2], lines[3]])
})

test('calls with all words in one line come before those that say them in different lines', async () => {
  const apart = await store('apart.wav', ['alpha', 'beta'])
  const together = await store('together.wav', ['alpha beta'])
  await setRecordingCreatedAt(server.services.work.queue, together.id, new Date(0))
  const { calls } = await find('alpha beta')
  expect(calls.map(({ recording, is_in_one_line, total }) => [recording.id, is_in_one_line, total])).toEqual([
    [together.id, true, 1],
    [apart.id, false, 2],
  ])
})

test('the newest calls come first, or those that say it most for their length', async () => {
  const often = await store('often.wav', ['word', 'word', 'other'])
  await store('seldom.wav', ['word', ...Array.from({ length: 20 }, () => 'other')])
  await setRecordingCreatedAt(server.services.work.queue, often.id, new Date(0))
  expect(await namesOf('word')).toEqual(['seldom.wav', 'often.wav'])
  expect(await namesOf('word', { sort: 'best' })).toEqual(['often.wav', 'seldom.wav'])
})

test('lines are restricted to a speaker, a language, a category of keywords, a time and a recording', async () => {
  const old = await store('old.wav', ['gun word', 'word'])
  await setRecordingCreatedAt(server.services.work.queue, old.id, new Date('2026-01-01T12:00:00Z'))
  await store('new.wav', ['word', 'word here'])
  await server.call(api.keywords.add, {
    params: { category: 'threats' },
    body: { keyword: 'gun' },
    token: user.accessToken,
  })
  expect(await textsOf('word', { speaker: 'speaker a' })).toEqual(['word', 'gun word'])
  expect(await textsOf('word', { language: 'ur' })).toEqual(['word here', 'word'])
  expect(await textsOf('word', { category: 'threats' })).toEqual(['gun word'])
  expect(await textsOf('word', { category: 'custom' })).toEqual([])
  expect(await namesOf('word', { from: '2026-01-02T00:00:00Z' })).toEqual(['new.wav'])
  expect(await namesOf('word', { to: '2026-01-02T00:00:00Z' })).toEqual(['old.wav'])
  expect(await namesOf('word', { recording: old.id })).toEqual(['old.wav'])
})

test('translations, notes and names are found too', async () => {
  const { id, transcriptionId } = await store('meeting-in-Kabul.wav', ['سلام زما ملګریه'])
  const segments = [{ start: 0, end: 2, text: 'سلام زما ملګریه', translated_text: 'hello my friend', error: null }]
  await storeFinishedJob(server.services.work.queue, {
    ownerId: user.id,
    recordingId: id,
    params: {
      kind: 'translate',
      sourceId: null,
      transcriptionId,
      sourceLanguage: 'ps',
      targetLanguage: 'en',
      context: null,
    },
    targetLanguage: 'en',
    workKey: newId(),
    outcome: { result: makeTranslation({ segments }), languages: [] },
  })
  await server.call(api.editing.addNote, {
    params: { id },
    body: { time: 5, text: 'ask about the warehouse' },
    token: user.accessToken,
  })
  expect((await find('friend')).calls[0]?.lines).toMatchObject([{ kind: 'translation', start: 0, language: 'en' }])
  expect((await find('warehouse')).calls[0]?.lines).toMatchObject([{ kind: 'note', start: 5, end: 5 }])
  expect((await find('kabul')).calls[0]?.lines).toMatchObject([{ kind: 'name', marks: [[11, 16]] }])
  expect((await find('kabul friend')).calls[0]).toMatchObject({ is_in_one_line: false, total: 2 })
})

test('new names, edited lines and deletions show at once, without what was there before', async () => {
  const { id, transcriptionId } = await store('first.wav', ['one parcel', 'two'])
  expect(await namesOf('parcel')).toEqual(['first.wav'])
  const token = user.accessToken
  await server.call(api.recordings.update, { params: { id }, body: { name: 'second.wav' }, token })
  const { data } = await server.call(api.search.find, { query: { q: 'second' }, token })
  expect(data.calls[0]?.lines[0]?.kind).toBe('name')
  const lines = [{ start: 0, end: 2, text: 'one package' }]
  const body = { transcription_id: transcriptionId, revision: 0, changes: [{ from: [0], lines }] }
  expect((await server.call(api.editing.changeLines, { params: { id }, body, token })).data.revision).toBe(1)
  isChanged = true
  expect(await textsOf('package')).toEqual(['one package'])
  expect(await textsOf('parcel')).toEqual([])
  await server.call(api.recordings.remove, { params: { id }, token })
  const { data: after } = await server.call(api.search.find, { query: { q: 'package' }, token })
  expect(after).toEqual({ calls: [], total_calls: 0, cursor: null, suggestion: null, also_spelled: [] })
})

test('nobody finds what others said', async () => {
  const other = await server.createSignedIn()
  await store('secret.wav', ['parcel'], other.id)
  expect(await find('parcel')).toMatchObject({ calls: [], total_calls: 0, suggestion: null })
})

test('further pages continue where the last ended', async () => {
  for (let number = 0; number < 13; number++) await store(`call-${number}.wav`, ['word'])
  const first = await find('word')
  expect(first).toMatchObject({ total_calls: 13 })
  expect(first.calls).toHaveLength(10)
  const second = await find('word', { cursor: first.cursor ?? '' })
  expect(second.cursor).toBeNull()
  expect(new Set([...first.calls, ...second.calls].map(({ recording }) => recording.id)).size).toBe(13)
})

test('a query that finds nothing is answered with similar words that occur', async () => {
  await store('call.wav', ['we go to the warehouse', 'کراچی بازار'])
  expect(await find('warehuose')).toMatchObject({ total_calls: 0, suggestion: 'warehouse' })
  expect(await find('"the warehose" -never')).toMatchObject({ suggestion: '"the warehouse" -never' })
  expect(await find('بازر')).toMatchObject({ suggestion: 'بازار' })
  expect(await find('helicopter')).toMatchObject({ suggestion: null })
})

test.each([
  ['-word', 'Please add a word that must occur'],
  ['!!', 'Please enter a word'],
  ['a*', 'Please enter at least 2 letters before the asterisk'],
  ['a '.repeat(30), 'Please search for at most 20 words at once'],
])('%j is refused with a sentence', async (q, message) => {
  const { error } = await server.call(api.search.find, { query: { q }, token: user.accessToken })
  expect(error).toMatchObject({ code: 'invalid_input', error: message })
})

test('a cursor that no search returned is refused', async () => {
  const { error } = await server.call(api.search.find, { query: { q: 'a', cursor: 'x' }, token: user.accessToken })
  expect(error).toMatchObject({ code: 'invalid_input', fields: { cursor: [expect.any(String)] } })
})
