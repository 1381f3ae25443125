import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { maxReviewedHits } from '#contract/endpoints/editing.ts'
import { readTogether } from '#data/read-together.ts'
import { reviewedHitsRead } from '#data/reviewed-hits/reviewed-hits.ts'
import { startTestServer, type SignedInUser, type TestServer } from '#testing/server.ts'
import { uploadDialogue } from '#testing/uploads.ts'

const { editing } = api

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

const token = () => user.accessToken
const review = (hits: string[], isReviewed = true, recordingId = id) =>
  server.call(editing.reviewHit, {
    params: { id: recordingId },
    body: { hits, is_reviewed: isReviewed },
    token: token(),
  })
const list = () => server.call(editing.listReviewedHits, { params: { id }, token: token() })

test('hits are marked as reviewed once each, and unmarked', async () => {
  expect((await list()).data.reviewed).toEqual([])
  expect((await review(['threats:1200:1:حمله', 'intent:5000:1:money'])).data.reviewed).toHaveLength(2)
  const both = await review(['intent:5000:1:money', 'intent:7000:1:money'])
  expect(both.data.reviewed).toEqual(['threats:1200:1:حمله', 'intent:5000:1:money', 'intent:7000:1:money'])
  const rest = await review(['intent:5000:1:money', 'never marked'], false)
  expect(rest.data.reviewed).toEqual(['threats:1200:1:حمله', 'intent:7000:1:money'])
  expect((await list()).data).toEqual(rest.data)
})

test('marks made at once are all kept', async () => {
  await Promise.all(Array.from({ length: 8 }, (_, index) => review([`intent:${index}:1:money`])))
  expect((await list()).data.reviewed).toHaveLength(8)
})

test('unmarking where nothing is marked changes nothing', async () => {
  expect((await review(['intent:5000:1:money'], false)).data.reviewed).toEqual([])
})

test('need a recording that is there', async () => {
  const missing = '0'.repeat(24)
  expect((await review(['x'], true, missing)).error.code).toBe('not_found')
  const listed = await server.call(editing.listReviewedHits, { params: { id: missing }, token: token() })
  expect(listed.error.code).toBe('not_found')
})

test('are limited in number', async () => {
  for (let from = 0; from < maxReviewedHits; from += 1000) {
    await review(Array.from({ length: 1000 }, (_, index) => `intent:${from + index}:1:money`))
  }
  expect((await review(['intent:0:1:money'])).status).toBe(200)
  const refused = await review(['threats:0:1:bomb'])
  expect(refused.error).toMatchObject({
    code: 'conflict',
    error: 'At most 10,000 hits of a recording can be marked as reviewed',
  })
  expect((await list()).data.reviewed).toHaveLength(maxReviewedHits)
})

test('are deleted with the recording and with the user', async () => {
  const stored = async () => {
    const { connection } = server.services.database
    const hits = reviewedHitsRead(connection, { ownerId: user.id, recordingId: id })
    return (await readTogether({ hits })).hits
  }
  await review(['intent:0:1:money'])
  await server.call(api.recordings.remove, { params: { id }, token: token() })
  expect(await stored()).toEqual([])
  id = await uploadDialogue(server, token())
  await review(['intent:0:1:money'])
  await server.services.work.removeUserWork(user.id)
  expect(await stored()).toEqual([])
})
