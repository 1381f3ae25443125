import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { findHeard } from '#data/heard/heard.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { EditedRecording } from '../recordings/testing/edited-recording.ts'

const { review } = api

let server: TestServer
let user: SignedInUser
let id: string

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  user = await server.createSignedIn()
  id = await uploadDialogue(server, user.accessToken)
})
afterAll(() => server.close())

type Spans = [number, number][]
const token = () => user.accessToken
const hear = (...channels: Spans[]) =>
  server.call(review.addHeard, { params: { id }, body: { channels }, token: token() })
const read = async (as = user) => (await server.call(review.getHeard, { params: { id }, token: as.accessToken })).data
const storedOf = (person = user) =>
  findHeard(server.services.database.connection, { ownerId: user.id, recordingId: id, userId: person.id })
const progress = async () => (await server.call(api.library.list, { token: token() })).data.recordings[0]?.progress

test('what is played is added channel by channel, and spans that touch become one', async () => {
  expect(await read()).toEqual({ channels: [] })
  expect((await hear([[0, 500]])).data).toEqual({ channels: [[[0, 500]]] })
  const channels = [
    [
      [0, 900],
      [1500, 1800],
    ],
    [[0, 200]],
  ]
  expect(
    (
      await hear(
        [
          [1500, 1800],
          [450, 900],
        ],
        [[0, 200]],
      )
    ).data,
  ).toEqual({ channels })
  expect(await read()).toEqual({ channels })
})

test('what several tabs send at once is all kept, and what is sent twice changes nothing', async () => {
  const spans = Array.from({ length: 8 }, (_, index): Spans => [[index * 240, index * 240 + 100]])
  const sent = await Promise.all([...spans, ...spans].map((each) => hear(each)))
  expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 200))
  expect((await read()).channels[0]).toEqual(spans.flat())
})

test.each([
  ['more channels than the recording has', [[[0, 1]], [], []], 'The recording has fewer channels'],
  ['a span without length', [[[500, 500]]], 'A span must end after it begins'],
  ['a span beyond the end', [[[0, 60_000]]], 'A span must end within the recording'],
] as [string, Spans[], string][])('%s is refused', async (_name, channels, error) => {
  expect((await hear(...channels)).error).toMatchObject({ code: 'invalid_input', error })
  expect(await read()).toEqual({ channels: [] })
})

test('is each person’s own, also where a case shares the recording', async () => {
  const member = await server.createSignedIn()
  const { id: caseId } = (await server.call(api.cases.create, { token: token(), body: { name: 'Harbour' } })).data
  const body = { email: member.email, role: 'view' as const }
  await server.call(api.cases.setMember, { params: { id: caseId }, body, token: token() })
  await server.call(api.cases.addRecordings, {
    params: { id: caseId },
    body: { selection: { ids: [id] } },
    token: token(),
  })
  await hear([[0, 500]])
  expect(await read(member)).toEqual({ channels: [] })
  const heard = { params: { id }, body: { channels: [[[1000, 1500]]] as Spans[] }, token: member.accessToken }
  expect((await server.call(review.addHeard, heard)).data).toEqual({ channels: [[[1000, 1500]]] })
  expect(await read()).toEqual({ channels: [[[0, 500]]] })
  await server.services.work.removeUserWork(member.id)
  expect((await storedOf(member)).channels).toEqual([])
  expect((await storedOf()).channels).toHaveLength(1)
})

test('counts the lines that were heard, also when the text changes later', async () => {
  const call = new EditedRecording(server, user)
  call.id = id
  await call.transcribe()
  await hear([[0, 1400]])
  expect(await progress()).toMatchObject({ heard: 1 / 24 })
  const cut = { start: 0, end: 0.7, text: 'line', speaker: 'Speaker A' }
  await call.change([{ from: [0], lines: [cut, { ...cut, start: 0.7, end: 1.5, text: '0' }] }])
  await read()
  expect(await progress()).toMatchObject({ heard: 1 / 25 })
})

test('sorts the library of the owner, by what is heard of the text as it is now', async () => {
  const call = new EditedRecording(server, user)
  call.id = id
  await call.transcribe()
  const newer = await uploadDialogue(server, token())
  const order = async (direction: 'asc' | 'desc') => {
    const query = { sort: 'heard', order: direction } as const
    const { recordings } = (await server.call(api.library.list, { query, token: token() })).data
    return recordings.map((recording) => recording.id)
  }
  expect(await order('desc')).toEqual([newer, id])
  await hear([[0, 1400]])
  expect(await order('desc')).toEqual([id, newer])
  expect(await order('asc')).toEqual([newer, id])
  const unheard = { start: 1.5, end: 1.9, text: 'later', speaker: 'Speaker A' }
  await call.change([{ from: [0], lines: [unheard] }])
  await read()
  expect(await order('desc')).toEqual([newer, id])
})

test('needs a recording that is there', async () => {
  id = '0'.repeat(24)
  expect((await hear([[0, 100]])).error.code).toBe('not_found')
  expect((await server.call(review.getHeard, { params: { id }, token: token() })).error.code).toBe('not_found')
})

test('is deleted with the recording and with its owner', async () => {
  await hear([[0, 100]])
  await server.call(api.recordings.remove, { params: { id }, token: token() })
  expect((await storedOf()).channels).toEqual([])
  id = await uploadDialogue(server, token())
  await hear([[0, 100]])
  await server.services.work.removeUserWork(user.id)
  expect((await storedOf()).channels).toEqual([])
})
