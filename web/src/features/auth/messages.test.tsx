import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { failure, fakeServer, offline, serverConfig, someUser } from '../../testing/fake-server.ts'
import { messageOf, unseenMessages } from '../../testing/messages.ts'
import { renderAt } from '../../testing/render.tsx'
import { ForgotPassword } from './forgot-password.tsx'
import { RegisterView } from './register-view.tsx'
import { SignInView } from './sign-in-view.tsx'
import { VerificationPending } from './verification-pending.tsx'

const ok = { body: { message: 'ok' } }
const config = { body: serverConfig }

describe('sign-in messages', () => {
  async function fail(answer: () => ReturnType<typeof failure>) {
    fakeServer({ 'POST /api/auth/signin': answer })
    const { user } = renderAt('/login', <SignInView onForgot={() => {}} onRegister={() => {}} />)
    await user.type(screen.getByLabelText('Email'), 'nadia@example.org')
    await user.type(screen.getByLabelText('Password'), 'Correct1!')
    const submit = () => user.click(screen.getByRole('button', { name: 'Sign In' }))
    await submit()
    return submit
  }

  /** Expects a text twice: in the form and in a toast. */
  async function expectTwice(text: string) {
    await waitFor(() => expect(screen.getAllByText(text)).toHaveLength(2))
  }

  it.each([
    ['signin-400', () => failure(400, 'something else')],
    ['signin-401', () => failure(401, 'something else', { code: 'sign_in_failed' })],
    ['signin-403-deactivated', () => failure(403, 'something else', { code: 'account_deactivated' })],
    ['signin-403-verify', () => failure(403, 'something else', { code: 'verification_required' })],
    ['signin-403-other', () => failure(403, 'something else')],
    ['signin-429', () => failure(429, 'something else')],
    ['signin-500', () => failure(500, 'something else')],
    ['signin-other', () => failure(418)],
    ['signin-network', offline],
  ] as const)('sign-in shows %s', async (situation, answer) => {
    await fail(answer)
    await expectTwice(messageOf(situation))
  })

  it('another status shows the message of the server', async () => {
    await fail(() => failure(418, 'The kettle is on.'))
    await expectTwice('The kettle is on.')
  })

  it.each([
    [undefined, 2],
    [1, 1],
    [60, 1],
    [61, 2],
    [600, 10],
    [3599, 60],
  ])('signin-423 with %s seconds left', async (seconds, minutes) => {
    await fail(() => failure(423, 'something else', { remaining_seconds: seconds }))
    // With a minute or less, the countdown beside the message may reach zero during the wait; the toast stays.
    const text = messageOf('signin-423', minutes).replace(/\b1 minutes/, '1 minute')
    expect(await screen.findAllByText(text)).not.toHaveLength(0)
  })

  it('signin-failed-attempts counts up', async () => {
    const submit = await fail(() => failure(401, undefined, { code: 'sign_in_failed' }))
    expect(await screen.findByText(messageOf('signin-failed-attempts', 1))).toBeVisible()
    await submit()
    expect(await screen.findByText(messageOf('signin-failed-attempts', 2))).toBeVisible()
  })

  it('signin-unexpected: a failure without status and message', async () => {
    await fail(() => {
      throw new DOMException('', 'AbortError')
    })
    await expectTwice(messageOf('signin-unexpected'))
  })

  it('a failure without status shows its own message', async () => {
    await fail(() => {
      throw new DOMException('The request was given up', 'AbortError')
    })
    await expectTwice('The request was given up')
  })
})

describe('registration messages', () => {
  async function register(answer: () => ReturnType<typeof failure>) {
    fakeServer({ 'POST /api/auth/signup': answer })
    const { user } = renderAt('/signup', <RegisterView onRegistered={() => {}} onLogin={() => {}} />)
    await user.type(await screen.findByLabelText(/^Email/), 'nadia@example.org')
    await user.type(screen.getByLabelText(/^Username/), 'nadia')
    await user.type(screen.getByRole('textbox', { name: 'First name' }), 'Nadia')
    await user.type(screen.getByLabelText(/^Password/, { selector: 'input' }), 'Correct1!')
    await user.type(screen.getByLabelText(/^Confirm password/, { selector: 'input' }), 'Correct1!')
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Create Account' }))
  }

  it.each([
    ['signup-409-email', () => failure(409, 'something else', { code: 'email_taken' })],
    ['signup-409-username', () => failure(409, 'something else', { code: 'username_taken' })],
    ['signup-409-other', () => failure(409)],
    ['signup-400', () => failure(400)],
    ['signup-429', () => failure(429, 'something else')],
    ['signup-500', () => failure(500, 'something else')],
    ['signup-other', () => failure(418)],
    ['signup-success', () => ({ status: 201, body: { message: 'something else', user: someUser } })],
  ] as const)('registration shows %s', async (situation, answer) => {
    await register(answer)
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })

  it.each([409, 400, 418])('status %i shows the message of the server', async (status) => {
    await register(() => failure(status, 'The kettle is on.'))
    expect(await screen.findByText('The kettle is on.')).toBeVisible()
  })

  it('shows the details of a 400 at their fields', async () => {
    const fields = { email: ['Wrong here'], username: ['Too short', 'Too odd'], password: ['Too weak'] }
    const details = [...Object.values(fields).flat(), 'Come back later']
    await register(() => failure(400, 'something else', { details, fields }))
    expect(await screen.findByLabelText(/^Email/)).toHaveAccessibleDescription('Wrong here')
    expect(screen.getByLabelText(/^Username/)).toHaveAccessibleDescription('Too short Too odd')
    expect(screen.getByText('Too weak')).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('Come back later')
    expect(screen.queryByText('something else')).toBeNull()
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
    const successes = {
      [paths.send]: () => ok,
      [paths.check]: () => ok,
      [paths.reset]: () => ok,
      [paths.config]: () => config,
    }
    fakeServer({ ...successes, ...handlers })
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
  ] as const)('a forgotten password shows %s', async (situation, handlers, walk) => {
    await walk(renderForgot(handlers))
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })

  it.each([
    ['forgot-resent', 2],
    ['forgot-resend-failed', 1],
  ] as const)('sending the code again shows %s', async (situation, successCount) => {
    let calls = 0
    const user = renderForgot({
      [paths.send]: () => {
        calls += 1
        return calls <= successCount ? ok : failure(500)
      },
    })
    await toCode(user)
    await user.click(await screen.findByRole('button', { name: 'Resend code' }))
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })
})

describe('a forgotten password where the server sends no e-mail', () => {
  it('says nowhere that a code was mailed, and who has it', async () => {
    fakeServer({
      'POST /api/auth/forgot-password': () => ok,
      'GET /api/config': () => ({ body: { ...serverConfig, is_smtp_configured: false } }),
    })
    const { user } = renderAt('/login', <ForgotPassword onDone={() => {}} />)
    await user.type(screen.getByLabelText('Email'), 'nadia@example.org')
    await user.click(screen.getByRole('button', { name: 'Send Reset Code' }))
    expect(await screen.findByText('This server sends no e-mail')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Resend code' }))
    expect(await screen.findByText('There is a new code')).toBeVisible()
    expect(screen.queryByText(/sent to your email|on its way/)).toBeNull()
  })
})

describe('verification mail messages', () => {
  it.each([
    ['resend-sent', () => ok],
    ['resend-failed', () => failure(500)],
  ] as const)('the verification mail shows %s', async (situation, answer) => {
    fakeServer({ 'POST /api/auth/resend-verification': answer, 'GET /api/config': () => config })
    const { user } = renderAt('/login', <VerificationPending email="nadia@example.org" onBack={() => {}} />)
    await user.click(screen.getByRole('button', { name: 'Resend Verification Email' }))
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })
})

describe('the table of messages', () => {
  it.each(['signin-', 'signup-', 'forgot-', 'resend-'] as const)(
    'has no situation %s that is not tested above',
    (prefix) => {
      expect(unseenMessages(prefix)).toEqual([])
    },
  )
})
