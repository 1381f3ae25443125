import { afterEach, describe, expect, it, vi } from 'vitest'
import { profile } from '#contract/endpoints/profile.ts'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { call } from './client.ts'
import { requestEarly } from './early-requests.ts'
import { saveTokens } from './tokens.ts'

const path = profile.get.path
const body = { user: someUser, backup_codes_left: 0 }

afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

describe('a request that was sent early', () => {
  it('serves the call that asks for the same, once', async () => {
    saveTokens({ access_token: 'a', refresh_token: 'r' })
    const calls = fakeServer({ [`GET ${path}`]: () => ({ body }) })
    requestEarly([path])
    expect((await call(profile.get)).user.username).toBe('nadia')
    expect(calls).toHaveLength(1)
    expect(calls[0]?.headers.get('Authorization')).toBe('Bearer a')
    await call(profile.get)
    expect(calls).toHaveLength(2)
  })

  it('is sent again by the call where it failed, whose errors are the ones that count', async () => {
    saveTokens({ access_token: 'a', refresh_token: 'r' })
    const calls = fakeServer({ [`GET ${path}`]: () => (calls.length === 1 ? failure(503) : { body }) })
    requestEarly([path])
    expect((await call(profile.get)).user.username).toBe('nadia')
  })

  it('does not serve another user', async () => {
    saveTokens({ access_token: 'a', refresh_token: 'r' })
    const calls = fakeServer({ [`GET ${path}`]: () => ({ body }) })
    requestEarly([path])
    saveTokens({ access_token: 'b', refresh_token: 'r' })
    await call(profile.get)
    expect(calls.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer a', 'Bearer b'])
  })

  it('serves nothing half a minute later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    saveTokens({ access_token: 'a', refresh_token: 'r' })
    const calls = fakeServer({ [`GET ${path}`]: () => ({ body }) })
    requestEarly([path])
    vi.setSystemTime(Date.now() + 31_000)
    await call(profile.get)
    expect(calls).toHaveLength(2)
  })

  it('is not sent without a token', () => {
    const calls = fakeServer({})
    requestEarly([path])
    expect(calls).toEqual([])
  })
})
