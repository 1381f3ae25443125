import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import type { PossibleHit } from '#contract/possible-hits.ts'
import { newId } from '#data/ids.ts'
import { completeJob } from '#data/jobs/lease.ts'
import { takeJob } from '#testing/jobs.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'
import { makeTranscription } from '#testing/work.ts'

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

const hits: PossibleHit[] = [
  { start: 1, end: 1.5, channel: 0, keyword: 'weapon', heard: 'weapin', probability: 0.95 },
  { start: 2, end: 2.5, channel: 1, keyword: 'kandahar', heard: 'cand a har', probability: 0.6 },
]

async function transcribe(possibleHits?: PossibleHit[]): Promise<string> {
  const { queue } = server.services.work
  const body = { file_id: id, force: true }
  await server.call(api.audio.transcribe, { body, token: user.accessToken, headers: { Prefer: 'respond-async' } })
  const job = await takeJob(queue)
  const outcome = { result: makeTranscription(), languages: ['ps'], ...(possibleHits && { possibleHits }) }
  expect(await completeJob(queue, job, outcome)).toBe(true)
  return job.id
}

const list = async (token = user.accessToken) =>
  (await server.call(api.recordings.possibleHits, { params: { id }, token })).data

const useKeywords = (keywords: { threats?: string[]; custom?: string[] }) =>
  server.call(api.keywords.replace, {
    body: { threats: [], sentiment: [], intent: [], custom: [], ...keywords },
    token: user.accessToken,
  })

test('there are none before a transcript, and none were looked for by an engine that cannot', async () => {
  expect(await list()).toEqual({ transcription_id: null, is_searched: false, hits: [] })
  const transcriptionId = await transcribe()
  expect(await list()).toEqual({ transcription_id: transcriptionId, is_searched: false, hits: [] })
})

test("those of the reader's keywords are listed, with their category", async () => {
  const transcriptionId = await transcribe(hits)
  await useKeywords({ custom: ['Kandahar'] })
  expect(await list()).toEqual({
    transcription_id: transcriptionId,
    is_searched: true,
    hits: [{ ...hits[1], category: 'custom' }],
  })
  await useKeywords({ threats: ['weapon'], custom: ['kandahar', 'weapon'] })
  expect((await list()).hits.map(({ category }) => category)).toEqual(['threats', 'custom'])
})

test('a reader without keywords gets those of the built-in ones', async () => {
  await transcribe(hits)
  expect((await list()).hits).toEqual([{ ...hits[0], category: 'threats' }])
})

test('nothing else holds them', async () => {
  const transcriptionId = await transcribe(hits)
  const token = user.accessToken
  const texts = [
    await server.call(api.recordings.get, { params: { id }, token }),
    await server.call(api.jobs.get, { params: { id: transcriptionId }, token }),
    await server.call(api.recordings.export, { params: { id }, query: { format: 'json' }, token }),
  ].map(({ raw }) => JSON.stringify(raw))
  expect(texts.filter((text) => text.includes('weapin'))).toEqual([])
})

test('another user, and nobody, finds no recording', async () => {
  const other = await server.createSignedIn()
  const foreign = await server.call(api.recordings.possibleHits, { params: { id }, token: other.accessToken })
  const missing = await server.call(api.recordings.possibleHits, {
    params: { id: newId() },
    token: user.accessToken,
  })
  expect([foreign.status, missing.status]).toEqual([404, 404])
})
