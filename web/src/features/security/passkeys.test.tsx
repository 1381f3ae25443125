import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Passkey } from '#contract/endpoints/passkeys.ts'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { SignInView } from '../auth/sign-in-view.tsx'
import { PasskeysCard } from './passkeys-card.tsx'
import { TwoFactorRequiredPage } from './two-factor-required-page.tsx'

const list = 'GET /api/auth/passkeys'
const begin = 'POST /api/auth/passkeys/begin'
const add = 'POST /api/auth/passkeys'
const beginSignIn = 'POST /api/auth/passkeys/sign-in/begin'
const signIn = 'POST /api/auth/passkeys/sign-in'

const phone: Passkey = {
  id: '0123456789abcdef01234569',
  name: 'Safari on iPhone',
  created_at: '2026-01-02T03:04:05.000Z',
  last_used_at: null,
  is_synced: true,
}
const options = {
  challenge: 'AAAA',
  rp: { id: 'localhost', name: 'Awaz' },
  user: { id: 'AAAA', name: 'nadia', displayName: 'Nadia' },
  pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
}
const bytes = () => new ArrayBuffer(4)
const made = {
  id: 'AAAA',
  rawId: bytes(),
  type: 'public-key',
  response: {
    attestationObject: bytes(),
    clientDataJSON: bytes(),
    authenticatorData: bytes(),
    signature: bytes(),
    userHandle: bytes(),
  },
  getClientExtensionResults: () => ({}),
}

/** Makes the browser support passkeys: `answer` is the outcome of the browser's dialog. */
function browserWith(answer: () => Promise<unknown>) {
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('PublicKeyCredential', vi.fn<() => void>())
  vi.stubGlobal('navigator', {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
    clipboard: navigator.clipboard,
    credentials: { create: answer, get: answer },
  })
}

const browserError = (name: string) => () => Promise.reject(new DOMException('by the browser', name))

afterEach(() => vi.unstubAllGlobals())

function renderCard(handlers: Parameters<typeof fakeServer>[0]) {
  localStorage.setItem('access_token', 'a')
  const calls = fakeServer({
    [begin]: () => ({ body: { options } }),
    [add]: () => ({ status: 201, body: { passkey: phone } }),
    'GET /api/auth/profile': () => ({ body: { user: { ...someUser, has_passkey: true }, backup_codes_left: 0 } }),
    ...handlers,
  })
  return { calls, user: renderAt('/settings/security', <PasskeysCard />, someUser).user }
}

describe('the card of passkeys', () => {
  it('lists them with name, age, use and whether they are synced', async () => {
    browserWith(async () => made)
    renderCard({ [list]: () => ({ body: { passkeys: [phone] } }) })
    const row = within(await screen.findByRole('listitem'))
    expect(row.getByText('Safari on iPhone')).toBeVisible()
    expect(row.getByText('Synced')).toBeVisible()
    expect(row.getByText(/^Added .* · never used · copied between your devices$/)).toBeVisible()
  })

  it('says that there are none, and when they could not be loaded', async () => {
    browserWith(async () => made)
    renderCard({ [list]: () => ({ body: { passkeys: [] } }) })
    expect(await screen.findByText('You have no passkeys.')).toBeVisible()
  })

  it('offers to try again when the list could not be loaded', async () => {
    browserWith(async () => made)
    let hasFailed = false
    const { user } = renderCard({
      [list]: () => {
        if (hasFailed) return { body: { passkeys: [phone] } }
        hasFailed = true
        return failure(500)
      },
    })
    expect(await screen.findByText('Your passkeys could not be loaded.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Safari on iPhone')).toBeVisible()
  })

  it('adds one under a name suggested by browser and system, after the password where it was long ago', async () => {
    browserWith(async () => made)
    let isConfirmed = false
    const { calls, user } = renderCard({
      [list]: () => ({ body: { passkeys: [] } }),
      [begin]: () =>
        isConfirmed
          ? { body: { options } }
          : failure(403, 'Please confirm your password first.', { code: 'password_confirmation_required' }),
      'POST /api/auth/confirm-password': () => {
        isConfirmed = true
        return { body: { message: 'Password confirmed', access_token: 'a2', refresh_token: 'r2' } }
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Add a passkey' }))
    expect(await screen.findByLabelText('Name')).toHaveValue('Firefox on Linux')
    await user.click(screen.getByRole('button', { name: 'Create passkey' }))
    await user.type(await screen.findByLabelText('Your password'), 'Correct1!')
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('Passkey added')).toBeVisible()
    expect(calls.find(({ key }) => key === add)?.body).toMatchObject({
      name: 'Firefox on Linux',
      response: { id: 'AAAA', type: 'public-key' },
    })
  })

  it.each([
    ['NotAllowedError', /it was cancelled or took too long/],
    ['AbortError', /it was cancelled/],
    ['InvalidStateError', /has a passkey of your account already/],
    ['SecurityError', /do not work at this address/],
    ['NotSupportedError', /cannot make a passkey/],
    ['UnknownError', /could not be used/],
  ])('puts the browser’s %s into a sentence', async (name, sentence) => {
    browserWith(browserError(name))
    const { user } = renderCard({ [list]: () => ({ body: { passkeys: [] } }) })
    await user.click(await screen.findByRole('button', { name: 'Add a passkey' }))
    await user.click(await screen.findByRole('button', { name: 'Create passkey' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
  })

  it('renames one', async () => {
    browserWith(async () => made)
    const rename = `PUT /api/auth/passkeys/${phone.id}`
    const { calls, user } = renderCard({
      [list]: () => ({ body: { passkeys: [phone] } }),
      [rename]: () => ({ body: { passkey: phone } }),
    })
    await user.click(await screen.findByRole('button', { name: 'Rename Safari on iPhone' }))
    const field = await screen.findByLabelText('Name')
    await user.clear(field)
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    expect(await screen.findByText('Name is required')).toBeVisible()
    await user.type(field, 'My phone')
    await user.click(screen.getByRole('button', { name: 'Rename' }))
    expect(await screen.findByText('Passkey renamed')).toBeVisible()
    expect(calls.find(({ key }) => key === rename)?.body).toEqual({ name: 'My phone' })
  })

  it('removes one after the password', async () => {
    browserWith(async () => made)
    const { user } = renderCard({
      [list]: () => ({ body: { passkeys: [phone] } }),
      [`DELETE /api/auth/passkeys/${phone.id}`]: () => ({ body: { message: 'Passkey removed' } }),
      'POST /api/auth/confirm-password': () => ({
        body: { message: 'Password confirmed', access_token: 'a2', refresh_token: 'r2' },
      }),
    })
    await user.click(await screen.findByRole('button', { name: 'Remove Safari on iPhone' }))
    await user.type(await screen.findByLabelText('Your password'), 'Correct1!')
    await user.click(screen.getByRole('button', { name: 'Remove' }))
    expect(await screen.findByText('Passkey removed')).toBeVisible()
  })

  it.each([
    ['on a plain-http address', { isSecureContext: false }, /begins with https/],
    ['in a browser without them', { isSecureContext: true }, /current browser/],
  ])('offers none %s, and says why', async (_, globals, sentence) => {
    vi.stubGlobal('isSecureContext', globals.isSecureContext)
    renderCard({ [list]: () => ({ body: { passkeys: [phone] } }) })
    expect(screen.getByText(sentence)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull()
    expect(await screen.findByRole('button', { name: 'Remove Safari on iPhone' })).toBeVisible()
  })
})

it('is an alternative to the app where the server requires a second factor', async () => {
  browserWith(async () => made)
  localStorage.setItem('access_token', 'a')
  fakeServer({})
  const { user } = renderAt('/', <TwoFactorRequiredPage />, someUser)
  await user.click(screen.getByRole('button', { name: 'Use a passkey instead' }))
  expect(await screen.findByRole('button', { name: 'Create passkey' })).toBeVisible()
})

describe('signing in', () => {
  const entered = { body: { access_token: 'a', refresh_token: 'r', user: someUser } }
  const renderSignIn = () => renderAt('/login', <SignInView onForgot={() => {}} onRegister={() => {}} />).user

  it('needs nothing but the passkey, and keeps the choice to be remembered', async () => {
    browserWith(async () => made)
    const calls = fakeServer({
      [beginSignIn]: () => ({ body: { challenge_id: 'c', options: { challenge: 'AAAA', rpId: 'localhost' } } }),
      [signIn]: () => entered,
    })
    const user = renderSignIn()
    await user.click(screen.getByLabelText('Remember me'))
    await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
    await vi.waitFor(() => expect(localStorage.getItem('access_token')).toBe('a'))
    expect(calls.find(({ key }) => key === signIn)?.body).toMatchObject({ challenge_id: 'c', remember_me: true })
  })

  it.each([
    ['the browser', browserError('NotAllowedError'), entered, /cancelled, took too long, or there is none/],
    ['the server', async () => made, failure(401, 'The kettle is on.', { code: 'sign_in_failed' }), /The kettle is on/],
  ])('says what %s refused, and counts no failed attempt', async (_, browser, answer, sentence) => {
    browserWith(browser)
    fakeServer({
      [beginSignIn]: () => ({ body: { challenge_id: 'c', options: { challenge: 'AAAA', rpId: 'localhost' } } }),
      [signIn]: () => answer,
    })
    const user = renderSignIn()
    await user.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
    const alerts = await screen.findAllByRole('alert')
    expect(alerts[0]).toHaveTextContent(sentence)
    expect(screen.queryByText(/Failed attempts/)).toBeNull()
  })

  async function givePassword(methods: string[]) {
    fakeServer({
      'POST /api/auth/signin': () => ({ body: { requires_2fa: true, user_id: someUser.id, methods } }),
      [beginSignIn]: () => ({ body: { challenge_id: 'c', options: { challenge: 'AAAA', rpId: 'localhost' } } }),
      [signIn]: () => entered,
    })
    const user = renderSignIn()
    await user.type(screen.getByLabelText('Email'), 'nadia@example.org')
    await user.type(screen.getByLabelText('Password'), 'Correct1!')
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    await screen.findByRole('heading', { name: 'Two-Factor Authentication' })
    await screen.findByRole('button', { name: 'Back to password' })
    return user
  }

  it('asks for the passkey alone where the account has no other second factor', async () => {
    browserWith(async () => made)
    const user = await givePassword(['passkey'])
    expect(screen.queryByLabelText('Authentication code')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Use your passkey' }))
    await vi.waitFor(() => expect(localStorage.getItem('access_token')).toBe('a'))
  })

  it('offers the passkey beside the code where the account has both', async () => {
    browserWith(async () => made)
    await givePassword(['code', 'passkey'])
    expect(screen.getByLabelText('Authentication code')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Use your passkey' })).toBeVisible()
  })

  it('offers no passkey where the browser has none, and says why where it is the only factor', async () => {
    vi.stubGlobal('isSecureContext', false)
    await givePassword(['passkey'])
    expect(screen.queryByRole('button', { name: 'Use your passkey' })).toBeNull()
    expect(screen.getByText(/begins with https/)).toBeVisible()
  })
})
