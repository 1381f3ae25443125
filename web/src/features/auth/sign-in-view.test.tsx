import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, serverConfig, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { SignInView } from './sign-in-view.tsx'

const noMail = { body: { ...serverConfig, is_smtp_configured: false } }

function renderSignIn() {
  return renderAt('/login', <SignInView onForgot={() => {}} onRegister={() => {}} />)
}

async function fillIn(user: ReturnType<typeof renderSignIn>['user']) {
  await user.type(screen.getByLabelText('Email'), 'nadia@example.org')
  await user.type(screen.getByLabelText('Password'), 'Correct1!')
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
}

describe('sign-in', () => {
  it('shows at each field what is missing and sends nothing', async () => {
    const calls = fakeServer({})
    const { user } = renderSignIn()
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(screen.getByText('Email is required')).toBeVisible()
    expect(screen.getByText('Password is required')).toBeVisible()
    await user.type(screen.getByLabelText('Email'), 'nobody')
    await user.type(screen.getByLabelText('Password'), '12345')
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(screen.getByText('Please enter a valid email address')).toBeVisible()
    expect(screen.getByText('Password must be at least 6 characters')).toBeVisible()
    await user.type(screen.getByLabelText('Password'), '6')
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(screen.getByText('Please enter a valid email address')).toBeVisible()
    expect(screen.queryByText('Password must be at least 6 characters')).toBeNull()
    expect(calls.filter(({ key }) => key !== 'GET /api/config')).toEqual([])
  })

  it('keeps both tokens after success', async () => {
    fakeServer({
      'POST /api/auth/signin': () => ({ body: { access_token: 'a', refresh_token: 'r', user: someUser } }),
    })
    const { user } = renderSignIn()
    await fillIn(user)
    await vi.waitFor(() => expect(localStorage.getItem('access_token')).toBe('a'))
    expect(localStorage.getItem('refresh_token')).toBe('r')
  })

  it('asks for the code when two-factor is on, and gives the same message for a wrong code as for a wrong password', async () => {
    fakeServer({
      'POST /api/auth/signin': ({ body }) =>
        JSON.stringify(body).includes('totp_token')
          ? { status: 401, body: { error: 'Invalid', code: 'sign_in_failed' } }
          : { body: { requires_2fa: true, user_id: someUser.id, methods: ['code'] } },
    })
    const { user } = renderSignIn()
    await fillIn(user)
    expect(await screen.findByRole('heading', { name: 'Two-Factor Authentication' })).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Verify' }))
    expect(screen.getByText('Authentication code is required')).toBeVisible()
    await user.type(screen.getByLabelText('Authentication code'), '123456')
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    const alert = await screen.findByText(/Failed attempts: 1/)
    expect(alert.closest('[role=alert]')).toHaveTextContent('Invalid email or password')
  })

  it('locks the form with a countdown, without a way to dismiss it', async () => {
    fakeServer({
      'POST /api/auth/signin': () => ({
        status: 423,
        body: { error: 'locked', code: 'account_locked', remaining_seconds: 90 },
      }),
    })
    const { user } = renderSignIn()
    await fillIn(user)
    expect(await screen.findByRole('button', { name: 'Account Locked' })).toBeDisabled()
    expect(screen.getByText(/^1:30 left/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull()
  })

  it('keeps the count of failed attempts when the box is dismissed', async () => {
    fakeServer({ 'POST /api/auth/signin': () => ({ status: 401, body: { error: 'no', code: 'sign_in_failed' } }) })
    const { user } = renderSignIn()
    await fillIn(user)
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }))
    expect(screen.queryByRole('button', { name: 'Dismiss' })).toBeNull()
    expect(screen.getByText('Failed attempts: 1')).toBeVisible()
  })

  it('shows whom the verification link is for, and claims no mail where none is sent', async () => {
    fakeServer({
      'GET /api/config': () => noMail,
      'POST /api/auth/signin': () => ({
        body: { requires_verification: true, user_id: someUser.id, message: 'Please verify' },
      }),
    })
    const { user } = renderSignIn()
    await fillIn(user)
    expect(await screen.findByRole('heading', { name: 'Email Verification Required' })).toBeVisible()
    expect(await screen.findByText('nadia@example.org')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Resend Verification Email' })).toBeEnabled()
    expect(await screen.findByText('This server sends no e-mail')).toBeVisible()
    expect(screen.queryByText(/was sent to/)).toBeNull()
  })
})
