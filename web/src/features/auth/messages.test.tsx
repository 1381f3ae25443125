import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { messageOf, unseenMessages } from '../../testing/messages.ts'
import { renderAt } from '../../testing/render.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { RegisterView } from './register-view.tsx'
import { SignInView } from './sign-in-view.tsx'
import { VerificationPending } from './verification-pending.tsx'

const ok = { body: { message: 'ok' } }
const config = {
  body: {
    signin_requires_verified: true,
    gate_requires_verified: false,
    gate_requires_2fa: false,
    is_smtp_configured: true,
    max_upload_bytes: 1,
    version: '1',
  },
}

function failure(status: number, error = '', extra = {}) {
  return { status, body: { error, code: 'internal', ...extra } }
}

function offline(): never {
  throw new TypeError('Failed to fetch')
}

describe('sign-in messages', () => {
  it.each([
    ['signin-400', () => failure(400)],
    ['signin-401', () => failure(401, 'no', { code: 'sign_in_failed' })],
    ['signin-403-deactivated', () => failure(403, 'Account deactivated')],
    ['signin-403-verify', () => failure(403, 'Please verify')],
    ['signin-403-other', () => failure(403, 'no')],
    ['signin-423', () => failure(423)],
    ['signin-429', () => failure(429)],
    ['signin-500', () => failure(500)],
    ['signin-network', offline],
  ])('%s', async (situation, answer) => {
    fakeServer({ 'POST /api/auth/signin': answer })
    const { user } = renderAt('/login', <SignInView onForgot={() => {}} onRegister={() => {}} />)
    await user.type(screen.getByLabelText('Email'), 'nadia@example.org')
    await user.type(screen.getByLabelText('Password'), 'Correct1!')
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    expect((await screen.findAllByText(messageOf(situation))).length).toBeGreaterThan(0)
  })
})

describe('registration messages', () => {
  it.each([
    ['signup-409-email', () => failure(409, 'Email already registered')],
    ['signup-409-username', () => failure(409, 'Username already taken')],
    ['signup-409-other', () => failure(409, 'User already exists')],
    ['signup-400', () => failure(400, 'Please check your input and try again.')],
    ['signup-429', () => failure(429)],
    ['signup-500', () => failure(500)],
    ['signup-other', () => failure(418, 'Registration failed. Please try again.')],
    ['signup-success', () => ({ status: 201, body: { message: 'ok', user: someUser } })],
  ])('%s', async (situation, answer) => {
    fakeServer({ 'POST /api/auth/signup': answer })
    const { user } = renderAt('/signup', <RegisterView onRegistered={() => {}} onLogin={() => {}} />)
    await user.type(screen.getByLabelText(/^Email/), 'nadia@example.org')
    await user.type(screen.getByLabelText(/^Username/), 'nadia')
    await user.type(screen.getByRole('textbox', { name: 'First name' }), 'Nadia')
    await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'Correct1!')
    await user.type(screen.getByLabelText(/^Confirm password/, { selector: 'input' }), 'Correct1!')
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Create Account' }))
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })
})

describe('forgotten password messages', () => {
  const paths = {
    send: 'POST /api/auth/forgot-password',
    check: 'POST /api/auth/verify-reset-code',
    reset: 'POST /api/auth/reset-password',
    config: 'GET /api/config',
  }

  function renderForgot(handlers: Parameters<typeof fakeServer>[0]) {
    const allWell = {
      [paths.send]: () => ok,
      [paths.check]: () => ok,
      [paths.reset]: () => ok,
      [paths.config]: () => config,
    }
    fakeServer({ ...allWell, ...handlers })
    return renderAt('/login', <ForgotPassword onDone={() => {}} />).user
  }

  async function toCode(user: ReturnType<typeof renderForgot>) {
    await user.type(screen.getByLabelText('Email'), 'nadia@example.org')
    await user.click(screen.getByRole('button', { name: 'Send Reset Code' }))
  }

  async function toReset(user: ReturnType<typeof renderForgot>) {
    await toCode(user)
    await user.type(await screen.findByLabelText('6-digit code'), '123456')
    await user.click(screen.getByRole('button', { name: 'Verify Code' }))
  }

  async function toEnd(user: ReturnType<typeof renderForgot>) {
    await toReset(user)
    await user.type(await screen.findByLabelText('New password'), 'Correct1!')
    await user.type(screen.getByLabelText('Confirm new password'), 'Correct1!')
    await user.click(screen.getByRole('button', { name: 'Reset Password' }))
  }

  it.each([
    ['forgot-send-failed', { [paths.send]: () => failure(500) }, toCode],
    ['forgot-network', { [paths.send]: offline }, toCode],
    ['forgot-sent', {}, toCode],
    ['forgot-code-failed', { [paths.check]: () => failure(400) }, toReset],
    ['forgot-code-right', {}, toReset],
    ['forgot-reset-failed', { [paths.reset]: () => failure(400) }, toEnd],
    ['forgot-reset', {}, toEnd],
  ])('%s', async (situation, handlers, walk) => {
    await walk(renderForgot(handlers))
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })

  it.each([
    ['forgot-resent', 2],
    ['forgot-resend-failed', 1],
  ])('%s', async (situation, answersWell) => {
    let calls = 0
    const user = renderForgot({
      [paths.send]: () => {
        calls += 1
        return calls <= answersWell ? ok : failure(500)
      },
    })
    await toCode(user)
    await user.click(await screen.findByRole('button', { name: 'Resend code' }))
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })
})

describe('verification mail messages', () => {
  it.each([
    ['resend-sent', () => ok],
    ['resend-failed', () => failure(500)],
  ])('%s', async (situation, answer) => {
    fakeServer({ 'POST /api/auth/resend-verification': answer, 'GET /api/config': () => config })
    const { user } = renderAt('/login', <VerificationPending email="nadia@example.org" onBack={() => {}} />)
    await user.click(screen.getByRole('button', { name: 'Resend Verification Email' }))
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })
})

describe('the table of messages', () => {
  it.each(['signin-', 'signup-', 'forgot-', 'resend-'])(
    'has no situation %s that is not brought about above',
    (prefix) => {
      expect(unseenMessages(prefix)).toEqual([])
    },
  )
})
