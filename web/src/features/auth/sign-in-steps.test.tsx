import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { failure, fakeServer, serverConfig, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { SignInView } from './sign-in-view.tsx'

const signIn = 'POST /api/auth/signin'
const needsCode = { body: { requires_2fa: true, user_id: someUser.id, methods: ['code'] } }
const needsVerification = {
  body: { requires_verification: true, user_id: someUser.id, message: 'Please verify first' },
}
const signedIn = { body: { access_token: 'a', refresh_token: 'r', user: someUser } }

afterEach(() => vi.useRealTimers())

function renderSignIn(handlers: Parameters<typeof fakeServer>[0] = {}) {
  const calls = fakeServer({ 'GET /api/config': () => ({ body: serverConfig }), ...handlers })
  const [onForgot, onRegister] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const view = renderAt('/login', <SignInView onForgot={onForgot} onRegister={onRegister} />)
  const bodies = () => calls.filter(({ key }) => key === signIn).map(({ body }) => body)
  return { ...view, calls, bodies, onForgot, onRegister }
}

function fillIn() {
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'nadia@example.org' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'Correct1!' } })
}

async function submit(user: ReturnType<typeof renderSignIn>['user']) {
  fillIn()
  await user.click(screen.getByRole('button', { name: 'Sign In' }))
}

async function openCode(user: ReturnType<typeof renderSignIn>['user']) {
  await submit(user)
  return await screen.findByLabelText('Authentication code')
}

describe('the password step', () => {
  it('has e-mail, password, remember-me, and ways to a forgotten password and to registration', async () => {
    const { user, onForgot, onRegister } = renderSignIn()
    expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    expect(screen.getByText('Sign in to your recordings.')).toBeVisible()
    expect(screen.getByLabelText('Email')).toBeVisible()
    expect(screen.getByLabelText('Password')).toBeVisible()
    expect(screen.getByRole('checkbox', { name: 'Remember me' })).not.toBeChecked()
    await user.click(screen.getByRole('button', { name: 'Forgot password?' }))
    expect(onForgot).toHaveBeenCalledOnce()
    await user.click(await screen.findByRole('button', { name: 'Create an account' }))
    expect(onRegister).toHaveBeenCalledOnce()
  })

  it('shows and hides the password', async () => {
    const { user } = renderSignIn()
    const field = screen.getByLabelText('Password')
    expect(field).toHaveAttribute('type', 'password')
    await user.click(screen.getByRole('button', { name: 'Show or hide password' }))
    expect(field).toHaveAttribute('type', 'text')
    await user.click(screen.getByRole('button', { name: 'Show or hide password' }))
    expect(field).toHaveAttribute('type', 'password')
  })

  it('sends whether to remember the user, and says that it succeeded', async () => {
    const { user, bodies } = renderSignIn({ [signIn]: () => signedIn })
    await user.click(screen.getByRole('checkbox', { name: 'Remember me' }))
    await submit(user)
    expect(await screen.findByText('Login successful!')).toBeVisible()
    expect(bodies()).toEqual([{ email: 'nadia@example.org', password: 'Correct1!', remember_me: true }])
  })

  it('counts failures from the beginning again after a success', async () => {
    const answers = [failure(401, 'no', { code: 'sign_in_failed' }), signedIn]
    const { user } = renderSignIn({ [signIn]: () => answers.shift() ?? signedIn })
    await submit(user)
    expect(await screen.findByText('Failed attempts: 1')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('Login successful!')).toBeVisible()
    expect(screen.queryByText(/^Failed attempts/)).toBeNull()
  })
})

describe('the two-factor step', () => {
  it('asks for one code of at most 8 characters', async () => {
    const { user } = renderSignIn({ [signIn]: () => needsCode })
    const field = await openCode(user)
    expect(screen.getByRole('heading', { name: 'Two-Factor Authentication' })).toBeVisible()
    expect(screen.getByText('Enter the code of your authenticator app.')).toBeVisible()
    expect(screen.getByText('Please enter your 2FA code')).toBeVisible()
    expect(screen.getAllByRole('textbox')).toEqual([field])
    expect(field).toHaveAttribute('maxlength', '8')
    expect(field).toHaveAttribute('placeholder', '000000')
  })

  it.each(['12345', '1234567', 'abcdef', 'abcd-123'])('rejects %s', async (code) => {
    const { user, bodies } = renderSignIn({ [signIn]: () => needsCode })
    await user.type(await openCode(user), code)
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    expect(screen.getByText('Please enter a valid 6-digit code or 8-character backup code')).toBeVisible()
    expect(bodies()).toHaveLength(1)
  })

  it.each(['123456', 'abcd1234'])('sends %s with e-mail and password', async (code) => {
    const { user, bodies } = renderSignIn({ [signIn]: () => needsCode })
    await user.type(await openCode(user), code)
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    await waitFor(() => expect(bodies()).toHaveLength(2))
    expect(bodies()[1]).toMatchObject({ email: 'nadia@example.org', password: 'Correct1!', totp_token: code })
  })

  it('leads back to the password and forgets the code', async () => {
    const { user } = renderSignIn({ [signIn]: () => needsCode })
    await user.type(await openCode(user), '123')
    await user.click(screen.getByRole('button', { name: 'Back to password' }))
    expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByLabelText('Authentication code')).toHaveValue('')
  })
})

describe('the verification step', () => {
  it('shows the address and the message, and leads back to the password', async () => {
    const { user } = renderSignIn({ [signIn]: () => needsVerification })
    await submit(user)
    expect(await screen.findByRole('heading', { name: 'Email Verification Required' })).toBeVisible()
    expect(screen.getByText('One step is missing before you can sign in.')).toBeVisible()
    expect(await screen.findByText('Please verify first')).toBeVisible()
    expect(screen.getByText(/was sent to/)).toHaveTextContent('nadia@example.org')
    await user.click(screen.getByRole('button', { name: 'Back to Login' }))
    expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  })

  it('sends the mail again once a minute', async () => {
    const resend = 'POST /api/auth/resend-verification'
    const { user, calls } = renderSignIn({
      [signIn]: () => needsVerification,
      [resend]: () => ({ body: { message: 'ok' } }),
    })
    await submit(user)
    const button = await screen.findByRole('button', { name: 'Resend Verification Email' })
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    fireEvent.click(button)
    expect(await screen.findByRole('button', { name: 'Resend in 60s' })).toBeDisabled()
    act(() => void vi.advanceTimersByTime(59_000))
    expect(screen.getByRole('button', { name: 'Resend in 1s' })).toBeDisabled()
    act(() => void vi.advanceTimersByTime(1000))
    expect(screen.getByRole('button', { name: 'Resend Verification Email' })).toBeEnabled()
    expect(calls.filter(({ key }) => key === resend)).toHaveLength(1)
  })
})

describe('a lock', () => {
  it('lasts 120 seconds where the server names no time, ticks every second and ends at zero', async () => {
    renderSignIn({ [signIn]: () => failure(423, 'locked', { code: 'account_locked' }) })
    fillIn()
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText(/^2:00 left\. Your account unlocks automatically/)).toBeVisible()
    expect(screen.getByText(/^2:00 left/)).toHaveTextContent('when the countdown reaches zero')
    expect(screen.queryByText(/^Failed attempts/)).toBeNull()
    act(() => void vi.advanceTimersByTime(1000))
    expect(screen.getByText(/^1:59 left/)).toBeVisible()
    act(() => void vi.advanceTimersByTime(118_000))
    expect(screen.getByText(/^1s left/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Account Locked' })).toBeDisabled()
    act(() => void vi.advanceTimersByTime(1000))
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeEnabled()
    expect(screen.queryByText(/left\. Your account/)).toBeNull()
  })
})
