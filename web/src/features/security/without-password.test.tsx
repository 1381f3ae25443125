import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { useSession } from '../../shared/session/session.ts'
import { ProfilePage } from '../profile/profile-page.tsx'
import { SecurityPage } from './security-page.tsx'

const member = { ...someUser, has_password: false }

/** The gate replaces the page once no one is signed in. */
function WhileSignedIn() {
  return useSession().status === 'signed_in' ? <SecurityPage /> : null
}

function renderSecurity(signedInMinutesAgo: number, handlers: Parameters<typeof fakeServer>[0] = {}) {
  const created_at = new Date(Date.now() - signedInMinutesAgo * 60_000).toISOString()
  const session = {
    id: '0123456789abcdef01234568',
    ip_address: '192.0.2.7',
    user_agent: '',
    created_at,
    last_used: created_at,
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  }
  const other = { ...session, id: '0123456789abcdef01234569', current: false }
  const calls = fakeServer({
    'GET /api/auth/sessions': () => ({ body: { sessions: [{ ...session, current: true }, other] } }),
    [`DELETE /api/auth/sessions/${other.id}`]: () => ({ body: { message: 'Session ended' } }),
    'POST /api/auth/signout': () => ({ body: { message: 'ok' } }),
    ...handlers,
  })
  return { calls, ...renderAt('/settings/security', <WhileSignedIn />, member) }
}

describe('somebody who signs in through an organisation', () => {
  it('is told where the password is, and offered no form for it', async () => {
    renderSecurity(1)
    expect(await screen.findByText(/there is no password to change here/)).toBeVisible()
    expect(screen.queryByLabelText('Current password')).toBeNull()
  })

  it('sees in the profile how the account is signed in to', () => {
    fakeServer({})
    renderAt('/settings/profile', <ProfilePage />, member)
    expect(screen.getByText('Through your organisation, without a password here')).toBeVisible()
  })

  it('sees that the address cannot be typed over', () => {
    fakeServer({})
    renderAt('/settings/profile', <ProfilePage />, member)
    const email = screen.getByLabelText('Email')
    expect(email).toHaveAttribute('readonly')
    expect(email.closest('[data-variant]')).toHaveAttribute('data-variant', 'filled')
    expect(screen.getByText(/cannot be changed here/)).toBeVisible()
  })

  it('confirms by a sign-in of the last minutes', async () => {
    const { user, calls } = renderSecurity(2)
    await user.click(await screen.findByRole('button', { name: 'End' }))
    await user.click(await screen.findByRole('button', { name: 'End session' }))
    expect(await screen.findByText('Session ended')).toBeVisible()
    expect(calls.some(({ key }) => key === 'POST /api/auth/confirm-password')).toBe(false)
  })

  it('signs in again where that is longer ago, and comes back to the page', async () => {
    const { user, calls } = renderSecurity(10)
    vi.stubGlobal('location', { ...window.location, pathname: '/settings/security', search: '' })
    localStorage.setItem('access_token', 'a')
    await user.click(await screen.findByRole('button', { name: 'End' }))
    expect(await screen.findByText(/Please sign in again/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'End session' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Sign in again' }))
    await waitFor(() => expect(localStorage.getItem('access_token')).toBeNull())
    expect(calls.some(({ key }) => key === 'POST /api/auth/signout')).toBe(true)
    expect(sessionStorage.getItem('sign_in_return')).toContain('/settings/security')
  })
})

describe('somebody with a password', () => {
  it('sees each fault of a new password once', async () => {
    fakeServer({ 'GET /api/auth/sessions': () => ({ body: { sessions: [] } }) })
    const { user } = renderAt('/settings/security', <SecurityPage />, someUser)
    expect(screen.getByRole('list', { name: 'Password requirements' })).toBeVisible()
    await user.type(screen.getByLabelText('New password'), 'short')
    expect(screen.getAllByText(/uppercase letter/)).toHaveLength(1)
    expect(screen.queryByRole('list', { name: 'Password requirements' })).toBeNull()
  })
})
