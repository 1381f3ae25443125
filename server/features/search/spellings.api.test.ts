import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { newId } from '#data/ids.ts'
import { settleLibrary } from '#testing/library.ts'
import { storeDocument } from '#testing/recordings.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { storeFinishedJob } from '#testing/stored-work.ts'
import { makeTranscription } from '#testing/work.ts'

let server: TestServer
let user: SignedInUser

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
})
afterAll(() => server.close())

const connection = () => server.services.database.connection

async function store(name: string, texts: string[], ownerId = user.id) {
  const { id } = await storeDocument(connection(), { ownerId, name, durationMs: 60_000 })
  const segments = texts.map((text, index) => ({
    start: index * 2,
    end: index * 2 + 2,
    text,
    speaker: index % 2 ? 'Speaker B' : 'Speaker A',
    channel: index % 2,
  }))
  await storeFinishedJob(server.services.work.queue, {
    ownerId,
    recordingId: id,
    params: { kind: 'transcribe', language: 'auto', channelLanguages: null },
    workKey: newId(),
    outcome: { result: makeTranscription({ segments }), languages: ['ps'] },
  })
  await settleLibrary(connection())
  return { id }
}

async function find(q: string, spelling: 'exact' | 'any' = 'any') {
  return (await server.call(api.search.find, { query: { q, spelling }, token: user.accessToken })).data
}

async function textsOf(q: string, spelling: 'exact' | 'any' = 'any') {
  return (await find(q, spelling)).calls.flatMap(({ lines }) => lines.map(({ text }) => text))
}

test('a name is found in every spelling, in both scripts', async () => {
  const lines = ['Mohammad is here', 'محمد راغی', 'Muhammed left', 'mohammed', 'Ahmad is here', 'محمود راغی']
  await store('call.wav', lines)
  expect(await textsOf('محمد')).toEqual(lines.slice(0, 4))
  expect(await textsOf('Muhammad')).toEqual(lines.slice(0, 4))
  expect(await textsOf('Muhammad', 'exact')).toEqual([])
})

test('a place is found in every spelling, and only these places are marked as another', async () => {
  await store('call.wav', ['from قندهار to Kandahar', 'کندهار ته ځي'])
  const { calls, also_spelled } = await find('Kandahar')
  expect(calls[0]?.lines).toMatchObject([
    {
      marks: [
        [5, 11],
        [15, 23],
      ],
      spelled: [[5, 11]],
    },
    { marks: [[0, 6]], spelled: [[0, 6]] },
  ])
  expect(also_spelled).toEqual([{ name: 'Kandahar', spellings: expect.arrayContaining(['قندهار', 'کندهار']) }])
})

test('a name of two words is found where it is written as one, and the other way round', async () => {
  const lines = ['احمد شاه راغی', 'احمدشاه راغی', 'Ahmad Shah came', 'Ahmadshah came', 'شاه راغی']
  await store('call.wav', lines)
  expect(await textsOf('احمدشاه')).toEqual(lines.slice(0, 4))
  expect(await textsOf('احمد شاه')).toEqual(lines.slice(0, 4))
  expect(await textsOf('Ahmad Shah')).toEqual(lines.slice(0, 4))
})

test('an article of a name makes no difference', async () => {
  const lines = ['الزرقاوي هنا', 'زرقاوی آمد', 'al-Zarqawi was here', 'Zarqawi']
  await store('call.wav', lines)
  for (const q of lines.map((line) => line.split(' ')[0] ?? '')) expect(await textsOf(q)).toEqual(lines)
  await store('call.wav', ['عبد الرحمن', 'عبدالرحمان', 'Abd al-Rahman', 'Abdurrahman', 'Abdul Rahman'])
  expect(await textsOf('Abdul Rahman')).toHaveLength(5)
  expect(await textsOf('عبدالرحمن')).toHaveLength(5)
})

test('quotation marks and an asterisk ask for exactly what is typed', async () => {
  await store('call.wav', ['قندهار', 'Qandahar'])
  expect(await textsOf('"قندهار"')).toEqual(['قندهار'])
  expect(await textsOf('قنده*')).toEqual(['قندهار'])
})

test('frequent words are no spelling of a name', async () => {
  await store('call.wav', ['إلى البيت', 'علي في البيت', 'Ali is home'])
  expect(await textsOf('Ali')).toEqual(['علي في البيت', 'Ali is home'])
})

test('a name in the name of a call is found in other spellings, until the call is renamed', async () => {
  const { id } = await store('meeting in Peshawar.wav', ['-'])
  const found = await find('پشاور')
  expect(found.calls[0]?.lines).toMatchObject([{ kind: 'name', marks: [[11, 19]], spelled: [[11, 19]] }])
  expect(found.also_spelled).toEqual([{ name: 'پشاور', spellings: ['peshawar'] }])
  await server.call(api.recordings.update, { params: { id }, body: { name: 'renamed' }, token: user.accessToken })
  expect(await find('پشاور')).toMatchObject({ total_calls: 0, also_spelled: [] })
})

test('a name that was given to a speaker is found, at the first line of the speaker', async () => {
  const { id } = await store('call.wav', ['سلام', 'و علیکم', 'خدا حافظ', 'خدا حافظ'])
  const token = user.accessToken
  const { data: recording } = await server.call(api.recordings.get, { params: { id }, token })
  const corrections = { names: { 'Speaker B': 'احمد شاه' }, merged: {}, moved: [] }
  const body = { corrections, version: recording.speaker_corrections_version }
  const { data } = await server.call(api.recordings.correctSpeakers, { params: { id }, body, token })
  expect(data.speaker_corrections_version).toBeGreaterThan(0)
  await settleLibrary(connection())
  for (const q of ['احمد', 'Ahmadshah'])
    expect((await find(q)).calls[0]?.lines).toMatchObject([{ kind: 'speaker', start: 2, end: 4, text: 'احمد شاه' }])
  expect(await find('Speaker')).toMatchObject({ total_calls: 0 })
})

test('spellings are those of the own calls that are found, not of others, nor of deleted ones', async () => {
  const other = await server.createSignedIn()
  await store('secret.wav', ['Mohammad'], other.id)
  const { id } = await store('gone.wav', ['Muhammed'])
  await store('call.wav', ['محمد'])
  await server.call(api.recordings.remove, { params: { id }, token: user.accessToken })
  expect((await find('محمّد')).also_spelled).toEqual([])
  expect((await find('Mohamed')).also_spelled).toEqual([{ name: 'Mohamed', spellings: ['محمد'] }])
})
