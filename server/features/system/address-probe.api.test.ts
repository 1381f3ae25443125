import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { createProbeToken, removeProbeToken } from '#data/health/address-probe.ts'
import { startTestServer, type TestServer } from '#testing/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ config: { trustProxyHops: 1 } })
})
afterAll(() => server.close())

const probe = (token: string, headers = {}) => server.call(api.system.probe, { params: { token }, headers })

test('a token of this database gets how the request arrived, and the headers of the event stream', async () => {
  const token = await createProbeToken(server.services.database.connection)
  const { status, raw, headers } = await probe(token, { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7' })
  expect(status).toBe(200)
  expect(raw).toBe('event: probe\ndata: {"forwarded_addresses":2,"trusted_hops":1}\n\nevent: end\ndata: {}\n\n')
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
})

test('any other token is not found: a removed one, an earlier one, one of nobody', async () => {
  const { connection } = server.services.database
  const earlier = await createProbeToken(connection)
  const removed = await createProbeToken(connection)
  expect((await probe(earlier)).error.code).toBe('not_found')
  await removeProbeToken(connection)
  expect((await probe(removed)).error.code).toBe('not_found')
  expect((await probe('0'.repeat(48))).error.code).toBe('not_found')
  expect((await probe('short')).error.code).toBe('invalid_input')
})
