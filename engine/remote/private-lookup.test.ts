import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { lookupPrivate } from './private-lookup.ts'
import { sendRequest } from './send-request.ts'

const resolve = promisify(lookupPrivate)

test('resolves names with private addresses', async () => {
  await expect(resolve('localhost', { all: true })).resolves.toContainEqual(
    expect.objectContaining({ address: expect.stringMatching(/^(127\.|::1$)/) }),
  )
})

test('fails for a name with a public address', async () => {
  await expect(resolve('192.0.2.1', { all: true })).rejects.toThrow(
    '192.0.2.1 resolves to 192.0.2.1, which is not a private address',
  )
})

test('sends nothing to a public address over plain http', async () => {
  const request = { method: 'GET', access: { isHttpAllowed: false }, timeoutMs: 5000, maxResponseBytes: 1000 } as const
  await expect(sendRequest({ ...request, url: 'http://192.0.2.1/v1/models' })).rejects.toThrow('not a private address')
})
