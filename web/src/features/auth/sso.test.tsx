import { screen, waitFor } from '@testing-library/react'
import { StrictMode } from 'react'
import { Route, Routes, useLocation } from 'react-router-dom'
import { beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest'
import { failure, fakeServer, serverConfig, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { SignInView } from './sign-in-view.tsx'
import { SsoPage } from './sso-page.tsx'

const oidc = { id: 'a'.repeat(24), kind: 'oidc', name: 'Keycloak' }
const directory = { id: 'b'.repeat(24), kind: 'ldap', name: 'Ministry directory' }
const start = `POST /api/auth/sso/oidc/${oidc.id}/start`
const directorySignIn = `POST /api/auth/sso/ldap/${directory.id}/sign-in`
const finish = 'POST /api/auth/sso/finish'
const signedIn = { body: { access_token: 'a', refresh_token: 'r', user: someUser } }
const codeAsked = { body: { requires_2fa: true, user_id: someUser.id, ticket: 't2', methods: ['code', 'passkey'] } }
const linkAsked = {
  body: { requires_link: true, ticket: 't3', email: someUser.email, provider_name: 'Keycloak', requires_code: true },
}

const config = () => ({ body: { ...serverConfig, sign_in_providers: [oidc, directory] } })

function renderSignIn(handlers: Parameters<typeof fakeServer>[0]) {
  const calls = fakeServer({ 'GET /api/config': config, ...handlers })
  return { calls, ...renderAt('/login', <SignInView onForgot={() => {}} onRegister={() => {}} />) }
}

function Address() {
  const { pathname, search } = useLocation()
  return <output aria-label="Address">{pathname + search}</output>
}

/** Renders the page as in development, where React mounts it twice. */
function renderSso(address: string, handlers: Parameters<typeof fakeServer>[0]) {
  const calls = fakeServer(handlers)
  const screens = (
    <StrictMode>
      <Address />
      <Routes>
        <Route path="/sso" element={<SsoPage />} />
        <Route path="/" element={<h1>Home</h1>} />
        <Route path="/login" element={<h1>Welcome Back</h1>} />
      </Routes>
    </StrictMode>
  )
  return { calls, ...renderAt(address, screens) }
}

const bodiesOf = (calls: ReturnType<typeof fakeServer>, key: string) =>
  calls.filter((made) => made.key === key).map(({ body }) => body)

let assign: MockInstance<Location['assign']>

beforeEach(() => {
  assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
})

describe('the button of an OpenID provider', () => {
  it('takes the browser to the provider, and says whether to remember', async () => {
    const redirect_to = 'https://login.example.org/auth?state=1'
    const { user, calls } = renderSignIn({ [start]: () => ({ body: { redirect_to } }) })
    await user.click(await screen.findByRole('checkbox', { name: 'Remember me' }))
    await user.click(await screen.findByRole('button', { name: 'Continue with Keycloak' }))
    await waitFor(() => expect(assign).toHaveBeenCalledWith(redirect_to))
    expect(bodiesOf(calls, start)).toEqual([{ remember_me: true }])
    expect(screen.getByRole('button', { name: 'Continue with Keycloak' })).toBeDisabled()
  })

  it('opens no address that could run as script', async () => {
    const { user } = renderSignIn({ [start]: () => ({ body: { redirect_to: 'javascript:alert(1)' } }) })
    await user.click(await screen.findByRole('button', { name: 'Continue with Keycloak' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('cannot be opened')
    expect(assign).not.toHaveBeenCalled()
  })

  it('says that other accounts still work while the provider is down', async () => {
    const { user } = renderSignIn({ [start]: () => failure(503, 'down', { code: 'provider_unavailable' }) })
    await user.click(await screen.findByRole('button', { name: 'Continue with Keycloak' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Keycloak cannot be reached now. Please try again later; accounts with a password of their own still work.',
    )
    expect(screen.getByLabelText('Email')).toBeEnabled()
  })

  it('is not there where the server knows no provider', async () => {
    fakeServer({ 'GET /api/config': () => ({ body: serverConfig }) })
    renderAt('/login', <SignInView onForgot={() => {}} onRegister={() => {}} />)
    expect(await screen.findByRole('button', { name: 'Create an account' })).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Continue with/ })).toBeNull()
  })
})

describe('the form of a directory', () => {
  async function open(handlers: Parameters<typeof fakeServer>[0]) {
    const result = renderSignIn(handlers)
    await result.user.click(await screen.findByRole('button', { name: 'Continue with Ministry directory' }))
    await screen.findByLabelText('User name')
    return result
  }
  async function fillIn({ user }: Awaited<ReturnType<typeof open>>, name = 'n.ahmadi') {
    await user.type(screen.getByLabelText('User name'), name)
    await user.type(screen.getByLabelText('Password'), 'x')
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
  }

  it('takes any user name and keeps the tokens', async () => {
    const result = await open({ [directorySignIn]: () => signedIn })
    await fillIn(result, String.raw`CORP\nadia`)
    await waitFor(() => expect(localStorage.getItem('refresh_token')).toBe('r'))
    const body = { username: String.raw`CORP\nadia`, password: 'x', remember_me: false }
    expect(bodiesOf(result.calls, directorySignIn)).toEqual([body])
  })

  it('shows at each field what is missing, and leads back', async () => {
    const { user, calls } = await open({})
    await user.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(screen.getByText('Username is required')).toBeVisible()
    expect(screen.getByText('Password is required')).toBeVisible()
    expect(bodiesOf(calls, directorySignIn)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Other ways to sign in' }))
    expect(await screen.findByLabelText('Email')).toBeVisible()
  })

  it.each([
    ['a wrong password', failure(401, 'no', { code: 'sign_in_failed' }), 'Invalid user name or password'],
    ['a directory that is down', failure(503, 'no', { code: 'provider_unavailable' }), /Ministry directory cannot be/],
    ['nobody of a mapped group', failure(403, 'Ask for access.', { code: 'sso_denied' }), 'Ask for access.'],
    ['a deactivated account', failure(403, 'no', { code: 'account_deactivated' }), /has been deactivated/],
    ['a provider that was removed', failure(404, 'no', { code: 'not_found' }), /no longer offered/],
  ])('says what to do about %s', async (_, answer, words) => {
    await fillIn(await open({ [directorySignIn]: () => answer }))
    expect(await screen.findByRole('alert')).toHaveTextContent(words)
    expect(screen.getByLabelText('User name')).toHaveValue('n.ahmadi')
  })

  it('counts a lock down', async () => {
    const locked = failure(423, 'locked', { code: 'account_locked', remaining_seconds: 90 })
    await fillIn(await open({ [directorySignIn]: () => locked }))
    expect(await screen.findByRole('button', { name: 'Account Locked' })).toBeDisabled()
    expect(screen.getByText(/^1:(30|29) left/)).toBeVisible()
  })

  it('asks for the second factor and sends it with the ticket', async () => {
    const result = await open({ [directorySignIn]: () => codeAsked, [finish]: () => signedIn })
    await fillIn(result)
    await result.user.type(await screen.findByLabelText('Authentication code'), '123456')
    await result.user.click(screen.getByRole('button', { name: 'Verify' }))
    await waitFor(() => expect(localStorage.getItem('access_token')).toBe('a'))
    expect(bodiesOf(result.calls, finish)).toEqual([{ ticket: 't2', totp_token: '123456' }])
  })
})

describe('the page that a provider leads back to', () => {
  it('exchanges the ticket once, empties the address and leads home', async () => {
    const answer = Promise.withResolvers<typeof signedIn>()
    const { calls } = renderSso('/sso?ticket=t1', { [finish]: () => answer.promise })
    await waitFor(() => expect(screen.getByLabelText('Address')).toHaveTextContent(/^\/sso$/))
    expect(screen.getByRole('status', { name: 'Signing you in' })).toBeVisible()
    answer.resolve(signedIn)
    expect(await screen.findByRole('heading', { name: 'Home' })).toBeVisible()
    expect(bodiesOf(calls, finish)).toEqual([{ ticket: 't1' }])
    expect([localStorage.getItem('access_token'), localStorage.getItem('refresh_token')]).toEqual(['a', 'r'])
  })

  it('asks for the second factor; a wrong code can be corrected', async () => {
    const answers = [codeAsked, failure(400, 'That code is wrong.', { code: 'wrong_code' }), signedIn]
    const { user, calls } = renderSso('/sso?ticket=t1', { [finish]: () => answers.shift() ?? failure(500) })
    const field = await screen.findByLabelText('Authentication code')
    await user.type(field, '111111{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent('That code is wrong.')
    await user.clear(field)
    await user.type(field, '222222{Enter}')
    expect(await screen.findByRole('heading', { name: 'Home' })).toBeVisible()
    expect(bodiesOf(calls, finish).slice(1)).toEqual([
      { ticket: 't2', totp_token: '111111' },
      { ticket: 't2', totp_token: '222222' },
    ])
  })

  it('leads to the passkey where the account has no other second factor', async () => {
    const passkeyAsked = { body: { ...codeAsked.body, methods: ['passkey'] } }
    const { user } = renderSso('/sso?ticket=t1', { [finish]: () => passkeyAsked })
    expect(await screen.findByRole('heading', { name: 'Use your passkey' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Back to sign-in' }))
    expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  })

  it('links an account only with its password and code', async () => {
    const wrong = failure(400, 'Current password is incorrect', { code: 'wrong_password' })
    const answers = [linkAsked, wrong, signedIn]
    const { user, calls } = renderSso('/sso?ticket=t1', { [finish]: () => answers.shift() ?? failure(500) })
    expect(await screen.findByRole('heading', { name: 'Is this your account?' })).toBeVisible()
    expect(screen.getByText(someUser.email)).toBeVisible()
    const link = screen.getByRole('button', { name: 'Link and sign in' })
    expect(link).toBeDisabled()
    const password = screen.getByLabelText('Password of your Awaz account')
    await user.type(password, 'wrong')
    await user.type(screen.getByLabelText('Authentication code'), '123456')
    await user.click(link)
    expect(await screen.findByRole('alert')).toHaveTextContent('Current password is incorrect')
    await user.clear(password)
    await user.type(password, 'right{Enter}')
    expect(await screen.findByRole('heading', { name: 'Home' })).toBeVisible()
    expect(bodiesOf(calls, finish).at(-1)).toEqual({ ticket: 't3', password: 'right', totp_token: '123456' })
  })

  it('links nothing when cancelled', async () => {
    const { user, calls } = renderSso('/sso?ticket=t1', { [finish]: () => linkAsked })
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible()
    expect(bodiesOf(calls, finish)).toHaveLength(1)
    expect(localStorage.getItem('access_token')).toBeNull()
  })

  it('begins anew when the ticket has run out while a code is asked for', async () => {
    const answers = [codeAsked, failure(403, 'The sign-in took too long.', { code: 'sso_denied' })]
    const { user } = renderSso('/sso?ticket=t1', { [finish]: () => answers.shift() ?? failure(500) })
    await user.type(await screen.findByLabelText('Authentication code'), '111111{Enter}')
    expect(await screen.findByRole('heading', { name: 'You are not signed in' })).toBeVisible()
    expect(screen.getByRole('alert')).toHaveTextContent('The sign-in took too long.')
    await user.click(screen.getByRole('button', { name: 'Back to sign-in' }))
    expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  })

  it.each([
    ['denied', /You cancelled/],
    ['expired', /took too long/],
    ['not_allowed', /ask your administrator/],
    ['unavailable', /accounts with a password of their own still work/],
    ['deactivated', /contact support/],
    ['anything else', /start again/],
    ['constructor', /start again/],
  ])('says in words what %s means', async (code, words) => {
    const { calls } = renderSso(`/sso?error=${encodeURIComponent(code)}`, {})
    expect(await screen.findByRole('alert')).toHaveTextContent(words)
    expect(screen.getByRole('link', { name: 'Contact support' })).toHaveAttribute('href', '/support')
    expect(calls).toEqual([])
  })
})
