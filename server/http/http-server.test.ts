import { expect, test } from 'vitest'
import { createHttpServer } from './http-server.ts'

test('an idle connection stays longer than a proxy keeps it', () => {
  const limits = { bodyTimeoutMs: 20_000, uploadMinBytesPerSecond: 1, uploadStallMs: 1000, maxConnectionsPerAddress: 1 }
  const server = createHttpServer(() => undefined, { limits, trustProxyHops: 0 })
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000)
})
