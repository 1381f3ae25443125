import { expect, it, onTestFinished, vi } from 'vitest'
import { keywords } from '#contract/endpoints/keywords.ts'
import { recordings } from '#contract/endpoints/recordings.ts'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { failure, fakeServer } from '../../testing/fake-server.ts'
import { call, callForFile, onSessionExpired } from './client.ts'
import { saveTokens } from './tokens.ts'

const listKey = 'GET /api/auth/keywords'
const lists = { body: { keywords: noKeywords() } }

it('sends the access token of local storage as bearer token, and none without one', async () => {
  const calls = fakeServer({ [listKey]: () => lists })
  await call(keywords.list)
  localStorage.setItem('access_token', 'a1')
  await call(keywords.list)
  expect(calls.map(({ headers }) => headers.get('Authorization'))).toEqual([null, 'Bearer a1'])
})

it('sends a body as JSON', async () => {
  const calls = fakeServer({ 'POST /api/auth/keywords': () => lists })
  await call(keywords.replace, { body: { keywords: noKeywords() } })
  expect(calls[0]?.headers.get('Content-Type')).toBe('application/json')
  expect(calls[0]?.body).toEqual({ keywords: noKeywords() })
})

it.each(['application/octet-stream', 'text/plain'])('returns a response of type %s raw', async (type) => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('[1:02] hello', { headers: { 'Content-Type': type } })))
  const params = { id: '0123456789abcdef01234567' }
  const file = await callForFile(recordings.export, { params, query: { format: 'txt' } })
  expect(await file.text()).toBe('[1:02] hello')
})

it('refreshes with the refresh token, and repeats the call with the new access token', async () => {
  saveTokens({ access_token: 'old', refresh_token: 'r1' })
  const calls = fakeServer({
    [listKey]: ({ headers }) =>
      headers.get('Authorization') === 'Bearer new' ? lists : failure(401, 'Token has expired'),
    'POST /api/auth/refresh': () => ({ body: { access_token: 'new', refresh_token: 'r2' } }),
  })
  await call(keywords.list)
  expect(calls.map(({ key }) => key)).toEqual([listKey, 'POST /api/auth/refresh', listKey])
  expect(calls[1]?.body).toEqual({ refresh_token: 'r1' })
})

it.each(['Token has expired', 'Session expired', 'This token is expired'])(
  'a 401 that says "%s" ends the session where the refresh fails',
  async (error) => {
    saveTokens({ access_token: 'old', refresh_token: 'r1' })
    const listener = vi.fn<() => void>()
    const unsubscribe = onSessionExpired(listener)
    onTestFinished(() => void unsubscribe())
    fakeServer({ [listKey]: () => failure(401, error), 'POST /api/auth/refresh': () => failure(401, error) })
    await expect(call(keywords.list)).rejects.toMatchObject({ message: 'Session expired', status: 401 })
    expect(listener).toHaveBeenCalledOnce()
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(localStorage.getItem('refresh_token')).toBeNull()
  },
)
