import { Button } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { recordings } from '#contract/endpoints/recordings.ts'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, offline, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { callForFile } from '../api/client.ts'
import { saveTokens } from '../api/tokens.ts'
import { recentSearchesPrefix, unsentEditsPrefix } from '../recordings/tab-data.ts'
import { keepUploadedFile, readUploadedFile } from '../recordings/uploaded-file.ts'
import { sessionQuery, useSessionActions } from './session.ts'

function SignIn({ as }: { as: User }) {
  const { enter } = useSessionActions()
  return <Button onClick={() => enter({ access_token: 'a', refresh_token: 'r' }, as)}>Sign In</Button>
}

function SignOut() {
  const { signOut } = useSessionActions()
  return <Button onClick={() => void signOut().catch(() => undefined)}>Sign Out</Button>
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

describe('signing out removes what was read from the browser', () => {
  it.each([
    ['where the server confirms it', () => ({ body: { message: 'ok' } })],
    ['where the server cannot be reached', offline],
    ['where the server fails', () => failure(500)],
  ])('%s', async (_, answer) => {
    fakeServer({ 'POST /api/auth/signout': answer })
    saveTokens({ access_token: 'a', refresh_token: 'r' })
    sessionStorage.setItem(`${unsentEditsPrefix}${someUser.id}`, '{}')
    localStorage.setItem(`${recentSearchesPrefix}${someUser.id}`, '["money"]')
    keepUploadedFile({ id: '0123456789abcdef01234567', name: 'call.wav', size: 1, is_stereo: false })
    const { user, client } = renderAt('/', <SignOut />, someUser)
    client.setQueryData(['recordings'], ['call.wav'])
    await user.click(screen.getByRole('button', { name: 'Sign Out' }))
    await waitFor(() => expect(client.getQueryData(sessionQuery.queryKey)).toBeNull())
    expect([localStorage.getItem('access_token'), localStorage.getItem('refresh_token')]).toEqual([null, null])
    expect(readUploadedFile()).toBeUndefined()
    expect(sessionStorage).toHaveLength(0)
    expect(localStorage).toHaveLength(0)
    expect(client.getQueryData(['recordings'])).toBeUndefined()
  })
})

describe('a download that is under way', () => {
  const key = 'GET /api/recordings/0123456789abcdef01234567/export'

  it.each([
    ['the user signs out', <SignOut key="out" />, 'Sign Out'],
    ['another user signs in', <SignIn key="in" as={{ ...someUser, id: 'f'.repeat(24) }} />, 'Sign In'],
  ])('is stopped when %s', async (_, screenOf, button) => {
    const calls = fakeServer({
      'POST /api/auth/signout': () => ({ body: { message: 'ok' } }),
      [key]: () => failure(503, 'The server is busy.', { remaining_seconds: 30 }),
    })
    const { user } = renderAt('/', screenOf, someUser)
    const params = { id: '0123456789abcdef01234567' }
    const outcome = callForFile(recordings.export, { params, query: { format: 'txt' } }).catch(
      (error: unknown) => error,
    )
    await waitFor(() => expect(calls).toHaveLength(1))
    await user.click(screen.getByRole('button', { name: button }))
    expect(await outcome).toMatchObject({ name: 'AbortError' })
  })
})

describe('signing out of a session that a provider began', () => {
  it.each([
    ['goes to the provider once the tokens are gone', 'https://login.example.org/logout?id_token_hint=1', 1],
    ['stays where the address could run as script', 'javascript:alert(1)', 0],
  ])('%s', async (_, redirect_to, visits) => {
    const tokensOnLeaving: (string | null)[] = []
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => {
      tokensOnLeaving.push(localStorage.getItem('access_token'))
    })
    fakeServer({ 'POST /api/auth/signout': () => ({ body: { message: 'ok', redirect_to } }) })
    saveTokens({ access_token: 'a', refresh_token: 'r' })
    const { user, client } = renderAt('/', <SignOut />, someUser)
    await user.click(screen.getByRole('button', { name: 'Sign Out' }))
    await waitFor(() => expect(client.getQueryData(sessionQuery.queryKey)).toBeNull())
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(visits))
    expect(tokensOnLeaving).toEqual(visits ? [null] : [])
  })
})

describe('signing in', () => {
  it.each([
    ['keeps the unsent changes of the same user, whose session had expired', someUser.id, '{}'],
    ['removes those of another user', 'f'.repeat(24), null],
  ])('%s', async (_, id, kept) => {
    fakeServer({})
    const key = `${unsentEditsPrefix}${someUser.id}`
    sessionStorage.setItem(key, '{}')
    const { user, client } = renderAt('/', <SignIn as={{ ...someUser, id }} />)
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(client.getQueryData(sessionQuery.queryKey)?.id).toBe(id)
    expect(sessionStorage.getItem(key)).toBe(kept)
  })
})
