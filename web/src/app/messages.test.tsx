import { fireEvent, screen, waitFor } from '@testing-library/react'
import { Route, Routes, useLocation } from 'react-router-dom'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { profile } from '#contract/endpoints/profile.ts'
import { call } from '../shared/api/client.ts'
import { sessionQuery } from '../shared/session/session.ts'
import { failure, fakeServer, offline, serverConfig, someUser } from '../testing/fake-server.ts'
import { messageOf, unseenMessages } from '../testing/messages.ts'
import { renderAt } from '../testing/render.tsx'
import { AppRoutes } from './app-routes.tsx'
import { SessionWatch } from './session-watch.tsx'
import { UserMenu } from './shell/user-menu.tsx'

const read = 'GET /api/auth/profile'
const refresh = 'POST /api/auth/refresh'
const expired = () => failure(401, 'Token has expired', { code: 'session_expired' })

function keepTokens() {
  localStorage.setItem('access_token', 'old')
  localStorage.setItem('refresh_token', 'r1')
}

function Address() {
  return <span data-testid="address">{useLocation().pathname}</span>
}

afterEach(() => vi.useRealTimers())

describe('sign-out messages', () => {
  it.each([
    ['sign-out-done', () => ({ body: { message: 'something else' } })],
    ['sign-out-failed', () => failure(500, 'something else')],
    ['sign-out-failed', offline],
  ] as const)('%s, and both tokens are removed whatever the outcome', async (situation, answer) => {
    keepTokens()
    fakeServer({ 'POST /api/auth/signout': answer })
    const { user } = renderAt('/dashboard', <UserMenu user={someUser} />, someUser)
    await user.click(screen.getByRole('button', { name: /^Account menu of/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Sign Out' }))
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(localStorage.getItem('refresh_token')).toBeNull()
  })
})

describe('an expired session', () => {
  it('session-expired shows for 2 seconds, then sign-in comes', async () => {
    keepTokens()
    fakeServer({ [read]: expired, [refresh]: expired })
    renderAt(
      '/settings/profile',
      <>
        <SessionWatch />
        <Routes>
          <Route path="/settings/profile" element={<h1>Profile Settings</h1>} />
          <Route path="/login" element={<h1>Welcome Back</h1>} />
        </Routes>
      </>,
      someUser,
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: false })
    await expect(call(profile.get)).rejects.toMatchObject({ message: messageOf('call-refresh-failed') })
    expect(localStorage.getItem('access_token')).toBeNull()
    await vi.advanceTimersByTimeAsync(1900)
    expect(screen.getByText(messageOf('session-expired'))).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Profile Settings' })).toBeVisible()
    await vi.advanceTimersByTimeAsync(200)
    vi.useRealTimers()
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeVisible())
  })
})

it('a session that cannot be refreshed at the start leads to /login', async () => {
  keepTokens()
  fakeServer({ [read]: expired, [refresh]: expired })
  renderAt(
    '/settings/profile',
    <>
      <SessionWatch />
      <Address />
    </>,
  )
  await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/login'))
})

describe('the sign-in form after an expired session', () => {
  it('keeps what was typed while the address changes to /login', async () => {
    keepTokens()
    fakeServer({ [read]: expired, [refresh]: expired, 'GET /api/config': () => ({ body: serverConfig }) })
    const { client } = renderAt(
      '/settings/profile',
      <>
        <SessionWatch />
        <AppRoutes />
        <Address />
      </>,
      someUser,
    )
    expect(await screen.findByRole('heading', { name: 'Profile Settings' })).toBeVisible()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await expect(call(profile.get)).rejects.toMatchObject({ status: 401 })
    await client.invalidateQueries(sessionQuery)
    // The previous page has a field with that name too.
    await screen.findByRole('heading', { name: 'Welcome Back' })
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'nadia@example.org' } })
    expect(screen.getByTestId('address')).toHaveTextContent('/settings/profile')
    await vi.advanceTimersByTimeAsync(2500)
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent('/login'))
    expect(screen.getByLabelText('Email')).toHaveValue('nadia@example.org')
  })
})

describe('the error of a call', () => {
  it('call-without-words: the response has no message', async () => {
    fakeServer({ [read]: () => failure(500) })
    await expect(call(profile.get)).rejects.toMatchObject({ message: messageOf('call-without-words'), status: 500 })
  })

  it('call-network: no answer came', async () => {
    fakeServer({ [read]: offline })
    await expect(call(profile.get)).rejects.toMatchObject({ message: messageOf('call-network'), status: 0 })
  })

  it('carries the status and the details', async () => {
    fakeServer({ [read]: () => failure(400, 'The kettle is on.', { details: ['a', 'b'] }) })
    await expect(call(profile.get)).rejects.toMatchObject({
      message: 'The kettle is on.',
      status: 400,
      details: ['a', 'b'],
    })
  })
})

describe('the table of messages', () => {
  it.each(['sign-out-', 'session-', 'call-'] as const)('has nothing else of %s', (part) => {
    expect(unseenMessages(part)).toEqual([])
  })
})
