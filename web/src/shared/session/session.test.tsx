import { Button } from '@mantine/core'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { isAdmin, isSuperAdmin, useSession, useSessionActions } from './session.ts'

const read = 'GET /api/auth/profile'
const refresh = 'POST /api/auth/refresh'
const expired = () => failure(401, 'Token has expired', { code: 'session_expired' })
const profile = { body: { user: someUser, backup_codes_left: 0 } }

function ShownSession() {
  const session = useSession()
  const { signOut } = useSessionActions()
  return (
    <>
      <p>{session.status === 'signed_in' ? `signed in: ${session.user.username}` : session.status}</p>
      <Button onClick={() => void signOut()}>Sign Out</Button>
    </>
  )
}

function start(tokens: object, handlers: Parameters<typeof fakeServer>[0] = {}) {
  for (const [name, token] of Object.entries(tokens)) localStorage.setItem(name, String(token))
  const calls = fakeServer(handlers)
  return { calls, ...renderAt('/', <ShownSession />) }
}

const storedTokens = () => [localStorage.getItem('access_token'), localStorage.getItem('refresh_token')]

describe('a session at the start', () => {
  it('is nobody’s without an access token, and asks nothing', async () => {
    const { calls } = start({ refresh_token: 'r1' })
    expect(await screen.findByText('anonymous')).toBeVisible()
    expect(calls).toEqual([])
  })

  it('is that of the profile', async () => {
    const { calls } = start({ access_token: 'a', refresh_token: 'r1' }, { [read]: () => profile })
    expect(screen.getByText('loading')).toBeVisible()
    expect(await screen.findByText('signed in: nadia')).toBeVisible()
    expect(calls.map(({ key, headers }) => [key, headers.get('Authorization')])).toEqual([[read, 'Bearer a']])
  })

  it('is refreshed where the profile is refused', async () => {
    const { calls } = start(
      { access_token: 'old', refresh_token: 'r1' },
      {
        [read]: ({ headers }) => (headers.get('Authorization') === 'Bearer new' ? profile : expired()),
        [refresh]: () => ({ body: { access_token: 'new', refresh_token: 'r2' } }),
      },
    )
    expect(await screen.findByText('signed in: nadia')).toBeVisible()
    expect(calls.find(({ key }) => key === refresh)?.body).toEqual({ refresh_token: 'r1' })
    expect(storedTokens()).toEqual(['new', 'r2'])
  })

  it('ends, with both tokens, where the refresh is refused too', async () => {
    start({ access_token: 'old', refresh_token: 'r1' }, { [read]: expired, [refresh]: expired })
    expect(await screen.findByText('anonymous')).toBeVisible()
    expect(storedTokens()).toEqual([null, null])
  })
})

it('signing out sends the refresh token', async () => {
  const signOut = 'POST /api/auth/signout'
  const { user, calls } = start(
    { access_token: 'a', refresh_token: 'r1' },
    { [read]: () => profile, [signOut]: () => ({ body: { message: 'ok' } }) },
  )
  await user.click(await screen.findByRole('button', { name: 'Sign Out' }))
  await waitFor(() => expect(calls.find(({ key }) => key === signOut)?.body).toEqual({ refresh_token: 'r1' }))
})

it.each([
  ['user', false, false],
  ['admin', true, false],
  ['super_admin', true, true],
] as const)('the role %s is an admin’s (%s) and a super admin’s (%s)', (role, admin, superAdmin) => {
  expect([isAdmin({ role }), isSuperAdmin({ role })]).toEqual([admin, superAdmin])
})
