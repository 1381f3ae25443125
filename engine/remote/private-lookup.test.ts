import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { lookupPrivate } from './private-lookup.ts'
import { sendRequest } from './send-request.ts'

const resolve = promisify(lookupPrivate)

test('resolves names of private addresses', async () => {
  await expect(resolve('localhost', { all: true })).resolves.toContainEqual(
    expect.objectContaining({ address: expect.stringMatching(/^(127\.|::1$)/) }),
  )
})

test('fails where a name stands for a public address', async () => {
  await expect(resolve('192.0.2.1', { all: true })).rejects.toThrow(
    '192.0.2.1 is 192.0.2.1, which is no private address',
  )
})

test('nothing is sent to a public address without encryption', async () => {
  const request = { method: 'GET', access: { isHttpAllowed: false }, timeoutMs: 5000, maxAnswerBytes: 1000 } as const
  await expect(sendRequest({ ...request, url: 'http://192.0.2.1/v1/models' })).rejects.toThrow('no private address')
})
