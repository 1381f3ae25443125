import { describe, expect, it, vi } from 'vitest'
import { profile } from '#contract/endpoints/profile.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { call, onSessionExpired } from './client.ts'

const expired = { status: 401, body: { error: 'Token has expired', code: 'session_expired' } }

function signInWith(access: string, refresh: string) {
  localStorage.setItem('access_token', access)
  localStorage.setItem('refresh_token', refresh)
}

describe('a call with an expired token', () => {
  it('refreshes once for all calls and sends each again', async () => {
    signInWith('old', 'r1')
    const calls = fakeServer({
      'GET /api/auth/profile': ({ headers }) =>
        headers.get('Authorization') === 'Bearer new' ? { body: { user: someUser, backup_codes_left: 0 } } : expired,
      'POST /api/auth/refresh': () => ({ body: { access_token: 'new', refresh_token: 'r2' } }),
    })
    const responses = await Promise.all([call(profile.get), call(profile.get), call(profile.get)])
    expect(responses.map(({ user }) => user.username)).toEqual(['nadia', 'nadia', 'nadia'])
    expect(calls.filter(({ key }) => key === 'POST /api/auth/refresh')).toHaveLength(1)
    expect(localStorage.getItem('refresh_token')).toBe('r2')
  })

  it('clears both tokens and notifies listeners when the refresh is refused', async () => {
    signInWith('old', 'r1')
    const listener = vi.fn<() => void>()
    const stop = onSessionExpired(listener)
    fakeServer({ 'GET /api/auth/profile': () => expired, 'POST /api/auth/refresh': () => expired })
    await expect(call(profile.get)).rejects.toMatchObject({ message: 'Session expired', status: 401 })
    stop()
    expect(listener).toHaveBeenCalledOnce()
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(localStorage.getItem('refresh_token')).toBeNull()
  })

  it('asks for no new one where there is nothing to ask with', async () => {
    localStorage.setItem('access_token', 'old')
    const calls = fakeServer({ 'GET /api/auth/profile': () => expired })
    await expect(call(profile.get)).rejects.toMatchObject({ status: 401 })
    expect(calls.map(({ key }) => key)).toEqual(['GET /api/auth/profile'])
  })

  it('keeps tokens that were stored while the old refresh token was refused', async () => {
    signInWith('old', 'r1')
    fakeServer({
      'GET /api/auth/profile': ({ headers }) =>
        headers.get('Authorization') === 'Bearer new' ? { body: { user: someUser, backup_codes_left: 0 } } : expired,
      'POST /api/auth/refresh': () => {
        signInWith('new', 'r2')
        return expired
      },
    })
    expect((await call(profile.get)).user.username).toBe('nadia')
    expect(localStorage.getItem('refresh_token')).toBe('r2')
  })

  it('keeps the tokens when the server cannot be reached', async () => {
    signInWith('old', 'r1')
    fakeServer({
      'GET /api/auth/profile': () => expired,
      'POST /api/auth/refresh': () => {
        throw new TypeError('offline')
      },
    })
    await expect(call(profile.get)).rejects.toMatchObject({ message: 'Network error occurred', status: 0 })
    expect(localStorage.getItem('refresh_token')).toBe('r1')
  })

  it('retries once alone: a second 401 ends the session', async () => {
    signInWith('old', 'r1')
    const calls = fakeServer({
      'GET /api/auth/profile': () => expired,
      'POST /api/auth/refresh': () => ({ body: { access_token: 'new', refresh_token: 'r2' } }),
    })
    await expect(call(profile.get)).rejects.toMatchObject({ status: 401 })
    expect(calls.filter(({ key }) => key === 'GET /api/auth/profile')).toHaveLength(2)
    expect(localStorage.getItem('access_token')).toBeNull()
  })
})

it('a call that is to outlast the page asks the browser to send it to the end', async () => {
  fakeServer({ 'PUT /api/auth/notifications': ({ body }) => ({ body }) })
  const body = { email: false, security_alerts: true }
  await call(profile.changeNotifications, { body, keepalive: true })
  expect(vi.mocked(fetch)).toHaveBeenCalledWith(expect.anything(), expect.objectContaining({ keepalive: true }))
})
