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

test('tokens of runs that overlap do not end each other', async () => {
  const { connection } = server.services.database
  const [first, second] = [await createProbeToken(connection), await createProbeToken(connection)]
  expect((await probe(first)).status).toBe(200)
  await removeProbeToken(connection, first)
  expect((await probe(first)).error.code).toBe('not_found')
  expect((await probe(second)).status).toBe(200)
})

test('a token that expired is not found, and the next run removes it', async () => {
  const { connection } = server.services.database
  const token = await createProbeToken(connection)
  const facts = connection.collection<{ _id: string }>('system_facts')
  const tokens = { _id: { $gte: 'address_probe:', $lt: 'address_probe;' } }
  await facts.updateMany(tokens, { $set: { until: new Date(Date.now() - 1) } })
  expect((await probe(token)).error.code).toBe('not_found')
  await createProbeToken(connection)
  expect(await facts.countDocuments(tokens)).toBe(1)
})

test('any other token is not found', async () => {
  expect((await probe('0'.repeat(48))).error.code).toBe('not_found')
  expect((await probe('short')).error.code).toBe('invalid_input')
})
