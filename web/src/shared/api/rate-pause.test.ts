import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { keywords } from '#contract/endpoints/keywords.ts'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { failure, fakeServer } from '../../testing/fake-server.ts'
import { call } from './client.ts'
import { saveTokens } from './tokens.ts'

const list = 'GET /api/auth/keywords'
const lists = { body: { keywords: noKeywords() } }
const limited = (seconds: number) =>
  failure(429, 'Too many requests', { code: 'rate_limited', remaining_seconds: seconds })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a read that is answered with 429 is sent again after the time that the server says, and none meanwhile', async () => {
  let isLimited = true
  const calls = fakeServer({ [list]: () => (isLimited ? limited(20) : lists) })
  const first = call(keywords.list)
  await vi.advanceTimersByTimeAsync(100)
  const second = call(keywords.list)
  await vi.advanceTimersByTimeAsync(19_800)
  expect(calls).toHaveLength(1)
  isLimited = false
  await vi.advanceTimersByTimeAsync(200)
  expect(await first).toEqual(lists.body)
  expect(await second).toEqual(lists.body)
  expect(calls).toHaveLength(3)
})

it('waits as long as the header of a proxy says', async () => {
  const headers = { 'Retry-After': '7' }
  const answers = [new Response('slow down', { status: 429, headers }), Response.json(lists.body)]
  const calls = fakeServer({ [list]: () => answers.shift() ?? failure(500) })
  const answer = call(keywords.list)
  await vi.advanceTimersByTimeAsync(6_900)
  expect(calls).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(await answer).toEqual(lists.body)
})

it('a refresh of the session that is answered with 429 is no lost connection', async () => {
  saveTokens({ access_token: 'old', refresh_token: 'r1' })
  const refreshes = [limited(5), { body: { access_token: 'new', refresh_token: 'r2' } }]
  fakeServer({
    [list]: ({ headers }) => (headers.get('Authorization') === 'Bearer new' ? lists : failure(401, 'expired')),
    'POST /api/auth/refresh': () => refreshes.shift() ?? failure(500),
  })
  const answer = call(keywords.list)
  await vi.advanceTimersByTimeAsync(5_100)
  expect(await answer).toEqual(lists.body)
})

it('a change that is answered with 429 is told at once: whoever made it decides', async () => {
  const calls = fakeServer({ 'POST /api/auth/keywords': () => limited(20) })
  await expect(call(keywords.replace, { body: { keywords: noKeywords() } })).rejects.toMatchObject({ status: 429 })
  expect(calls).toHaveLength(1)
})

it('a read that is stopped while it waits is not sent', async () => {
  const calls = fakeServer({ [list]: () => limited(20) })
  const stop = new AbortController()
  const outcome = call(keywords.list, { signal: stop.signal }).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  stop.abort()
  expect(await outcome).toMatchObject({ name: 'AbortError' })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(calls).toHaveLength(1)
})
