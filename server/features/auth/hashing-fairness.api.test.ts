import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { api } from '#contract/api.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

// With hashes expensive enough to form a queue, and client addresses from a proxy's header.
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { bcryptCost: 9, trustProxyHops: 1 } })
})
afterAll(() => server.close())

const threads = Math.min(4, Math.max(1, availableParallelism() - 1))
const from = (address: string) => ({ 'X-Forwarded-For': address })

function attempt(address: string, email: string, password = 'Wrong-moon7') {
  return server.call(api.auth.signIn, { body: { email, password }, headers: from(address) })
}

/** Sends simultaneous sign-ins for unknown accounts and collects the responses. */
function flood(address: string, count: number, emailOf = (n: number) => `${address}.${n}@example.org`) {
  const answers: { status: number; retryAfter: string | null }[] = []
  const all = Array.from({ length: count }, async (_, n) => {
    const { status, headers } = await attempt(address, emailOf(n))
    answers.push({ status, retryAfter: headers.get('Retry-After') })
  })
  return { answers, ended: Promise.all(all) }
}

const startedHashes = () => server.services.hasher.operations()

test('sign-ins of three addresses do not delay one from a fourth', async () => {
  const user = await server.createUser()
  const floods = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => flood(address, 40))
  const before = startedHashes()
  await vi.waitFor(() => expect(startedHashes()).toBeGreaterThan(before + 3), { timeout: 30_000, interval: 5 })
  const started = startedHashes()
  expect((await attempt('198.51.100.9', user.email, user.password)).status).toBe(200)
  // Its own hash, the hashes running when it arrived, and those started while its response was sent.
  expect(startedHashes() - started).toBeLessThanOrEqual(3 * threads + 2)
  const unanswered = floods.map(({ answers }) => 40 - answers.length)
  expect(Math.min(...unanswered)).toBeGreaterThan(0)
  await Promise.all(floods.map(({ ended }) => ended))
})

test('another account behind the same address is served first as well', async () => {
  const user = await server.createUser()
  const sent = flood('203.0.113.1', 40, () => 'one@example.org')
  const before = startedHashes()
  await vi.waitFor(() => expect(startedHashes()).toBeGreaterThan(before), { timeout: 30_000, interval: 5 })
  expect((await attempt('203.0.113.1', user.email, user.password)).status).toBe(200)
  expect(sent.answers.length).toBeLessThan(40)
  await sent.ended
})

test('an address that sends too much gets Retry-After, and its rejected attempts do not count', async () => {
  const user = await server.createUser()
  const sent = flood('203.0.113.2', 70 * threads)
  await sent.ended
  const refused = sent.answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(0)
  expect(new Set(refused.map(({ retryAfter }) => retryAfter))).toEqual(new Set(['5']))
  expect((await attempt('203.0.113.2', user.email, user.password)).status).toBe(200)
})
