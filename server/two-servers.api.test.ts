import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { openEvents } from '#testing/event-stream.ts'
import { startSecondServer, startTestServer, type TestServer } from '#testing/server.ts'
import { makeDialogue, upload } from '#testing/uploads.ts'

const callsPerMinute = 50
const config = { rates: { callsPerMinute, mailPerAccountHour: 3 } }
let first: TestServer
let second: TestServer

beforeAll(async () => {
  first = await startTestServer({ config })
  second = await startSecondServer(first, { config })
  for (const { clock } of [first, second]) clock.stop() // keeps all calls in one rate limit window
})
afterAll(async () => {
  await second.close()
  await first.close()
})

/** Returns the first server in odd rounds and the second in even rounds. */
const nextServer = (round: number) => (round % 2 === 1 ? first : second)

test('the general limit of a user is that of both servers together, but for a tenth each', async () => {
  const { accessToken: token } = await first.createSignedIn()
  const statuses: number[] = []
  for (let round = 1; round <= 2 * callsPerMinute; round += 1) {
    statuses.push((await nextServer(round).call(api.profile.get, { token })).status)
  }
  const answered = statuses.filter((status) => status === 200).length
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(answered).toBeGreaterThanOrEqual(callsPerMinute)
  expect(answered).toBeLessThanOrEqual(callsPerMinute * 1.2)
})

test('failed sign-ins lock an account on both servers, whichever counted them', async () => {
  const { email, password } = await first.createUser()
  const signIn = (server: TestServer, given: string) =>
    server.call(api.auth.signIn, { body: { email, password: given } })
  const statuses: number[] = []
  for (let round = 1; round <= 5; round += 1) statuses.push((await signIn(nextServer(round), 'Wrong-moon7')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401])
  expect([(await signIn(second, password)).status, (await signIn(first, password)).status]).toEqual([423, 423])
})

test('mails about an account are counted on both servers together', async () => {
  const statuses: number[] = []
  for (let round = 1; round <= 4; round += 1) {
    const asked = await nextServer(round).call(api.auth.forgotPassword, { body: { email: 'nobody@example.org' } })
    statuses.push(asked.status)
  }
  expect(statuses).toEqual([200, 200, 200, 429])
})

test('a stream at one server has what happens at the other', async () => {
  const { accessToken: token } = await first.createSignedIn()
  const stream = await openEvents(second.url, token)
  await vi.waitFor(() => expect(stream.events).toMatchObject([{ type: 'snapshot' }]))
  const uploaded = await upload(first, token, { name: 'call.wav', content: makeDialogue() })
  await vi.waitFor(
    () => expect(stream.events).toContainEqual(expect.objectContaining({ recording_id: uploaded.body.file_id })),
    { timeout: 10_000 },
  )
  stream.close()
})
