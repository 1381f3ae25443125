import { errors } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { findUnavailable } from './clients.ts'
import { fetchFromProvider } from './provider-fetch.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['the network says why', new Error('getaddrinfo ENOTFOUND'), 'It cannot be reached: getaddrinfo ENOTFOUND.'],
  [
    'several addresses refuse, which Node.js reports without a message',
    new AggregateError([]),
    'It cannot be reached.',
  ],
])('a provider that cannot be reached is reported with the reason: %s', async (_, cause, help) => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed', { cause })))
  const asked = fetchFromProvider('https://login.example.org', {})
  await expect(asked).rejects.toMatchObject({ code: 'provider_unavailable', help })
})

test('a provider whose keys take too long is unavailable, as is one that hangs elsewhere', () => {
  const timeouts = [new errors.JWKSTimeout(), new DOMException('The operation timed out', 'TimeoutError')]
  for (const error of timeouts) {
    const wrapped = new Error('checking the token failed', { cause: error })
    expect(findUnavailable(wrapped)).toMatchObject({
      code: 'provider_unavailable',
      help: 'It did not respond in time.',
    })
  }
  expect(findUnavailable(new errors.JWSSignatureVerificationFailed())).toBeUndefined()
})
