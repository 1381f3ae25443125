import { screen } from '@testing-library/react'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, serverConfig, someUser } from '../testing/fake-server.ts'
import { renderAt } from '../testing/render.tsx'
import { Gate } from './gate.tsx'

const resend = 'POST /api/auth/resend-verification'
const signOut = 'POST /api/auth/signout'
const enable = 'POST /api/auth/2fa/enable'

function renderGate(
  user: User,
  config: Partial<typeof serverConfig> = {},
  handlers: Parameters<typeof fakeServer>[0] = {},
) {
  const calls = fakeServer({ 'GET /api/config': () => ({ body: { ...serverConfig, ...config } }), ...handlers })
  return { calls, ...renderAt('/dashboard', <Gate>the dashboard</Gate>, user) }
}

it('says that it checks while the session loads', async () => {
  localStorage.setItem('access_token', 'a')
  fakeServer({ 'GET /api/auth/profile': () => new Promise(() => {}) })
  renderAt('/dashboard', <Gate>the dashboard</Gate>)
  expect(await screen.findByText('Checking authentication')).toBeInTheDocument()
  expect(screen.queryByText('the dashboard')).toBeNull()
})

it('offers to try again, still signed in, where the profile fails otherwise than by an expired session', async () => {
  localStorage.setItem('access_token', 'a')
  localStorage.setItem('refresh_token', 'r')
  const calls = fakeServer({ 'GET /api/auth/profile': () => failure(500) })
  renderAt('/dashboard', <Gate>the dashboard</Gate>)
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
  expect(calls.map(({ key }) => key)).not.toContain('POST /api/auth/refresh')
  expect([localStorage.getItem('access_token'), localStorage.getItem('refresh_token')]).toEqual(['a', 'r'])
})

it('says that there were too many requests, counts down and goes on by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  localStorage.setItem('access_token', 'a')
  let isLimited = true
  fakeServer({
    'GET /api/config': () => ({ body: serverConfig }),
    'GET /api/auth/profile': () =>
      isLimited
        ? failure(429, 'Too many requests', { remaining_seconds: 40 })
        : { body: { user: someUser, backup_codes_left: 0 } },
  })
  renderAt('/dashboard', <Gate>the dashboard</Gate>)
  expect(await screen.findByRole('heading', { name: 'Too many requests' })).toBeVisible()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(Number.parseInt(screen.getByRole('timer').textContent ?? '', 10)).toBeLessThanOrEqual(31)
  expect(screen.queryByText('Awaz cannot be reached')).toBeNull()
  isLimited = false
  await vi.advanceTimersByTimeAsync(31_000)
  expect(await screen.findByText('the dashboard')).toBeVisible()
})

describe('the gate for a verified address', () => {
  const unverified = { ...someUser, is_verified: false }
  const config = { gate_requires_verified: true }

  it('offers resending and signing out', async () => {
    localStorage.setItem('access_token', 'a')
    const handlers = {
      [resend]: () => ({ body: { message: 'sent' } }),
      [signOut]: () => ({ body: { message: 'out' } }),
    }
    const { user, calls } = renderGate(unverified, config, handlers)
    expect(await screen.findByRole('heading', { name: 'Email Verification Required' })).toBeVisible()
    expect(screen.getByRole('button', { name: "I've Verified My Email" })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Resend Verification Email' }))
    expect(await screen.findByRole('button', { name: /^Resend in \d+s/ })).toBeDisabled()
    expect(calls.find(({ key }) => key === resend)?.body).toEqual({ email: unverified.email })
    await user.click(screen.getByRole('button', { name: 'Sign Out' }))
    await vi.waitFor(() => expect(localStorage.getItem('access_token')).toBeNull())
  })

  it('loads the page again for somebody who has verified the address meanwhile', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {})
    const { user } = renderGate(unverified, config)
    await user.click(await screen.findByRole('button', { name: "I've Verified My Email" }))
    expect(reload).toHaveBeenCalledOnce()
  })

  it('does not say that a mail was sent where the server sends none', async () => {
    const handlers = { [resend]: () => ({ body: { message: 'sent' } }) }
    const { user } = renderGate(unverified, { ...config, is_smtp_configured: false }, handlers)
    expect(await screen.findByText('Awaz')).toBeVisible()
    await user.click(await screen.findByRole('button', { name: 'Resend Verification Email' }))
    expect(await screen.findByText('A new link was made. Ask your administrator for it.')).toBeVisible()
    expect(screen.queryByText(/Verification email sent/)).toBeNull()
  })

  it('keeps the minute between two mails across a change of screens', async () => {
    const handlers = { [resend]: () => ({ body: { message: 'sent' } }) }
    const first = renderGate(unverified, config, handlers)
    await first.user.click(await screen.findByRole('button', { name: 'Resend Verification Email' }))
    await screen.findByRole('button', { name: /^Resend in/ })
    first.unmount()
    renderGate(unverified, config, handlers)
    expect(await screen.findByRole('button', { name: /^Resend in \d+s/ })).toBeDisabled()
  })

  it('lets a verified user in', async () => {
    renderGate(someUser, config)
    expect(await screen.findByText('the dashboard')).toBeVisible()
  })
})

describe('the gate for two-factor', () => {
  const someone = { ...someUser, two_factor_due: '2026-01-09T03:04:05.000Z' }
  const heading = { name: 'Two-Factor Authentication Required' }

  it('begins the set-up without asking for a password that was just given', async () => {
    const setup = { qr_code: 'data:,', secret: 'ABCD', totp_uri: 'otpauth://x', backup_codes: ['A', 'B'] }
    const { user } = renderGate(someone, {}, { [enable]: () => ({ body: setup }) })
    expect(await screen.findByRole('heading', heading)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Enable 2FA' }))
    expect(await screen.findByAltText('QR code of your secret key')).toBeVisible()
  })

  it('names what serves without a phone, and takes the seed of a hardware token', async () => {
    const setup = { qr_code: 'data:,', secret: 'ABCD', totp_uri: 'otpauth://x', backup_codes: ['A', 'B'] }
    const { user, calls } = renderGate(someone, {}, { [enable]: () => ({ body: setup }) })
    const ways = await screen.findByRole('list', { name: 'One of these is enough:' })
    expect([...ways.children].map(({ textContent }) => textContent)).toEqual([
      'an authenticator app on a phone',
      'an authenticator on this computer, such as KeePassXC',
      'a hardware token that shows codes, using its seed',
      'a printed list of 20 codes, each of which works once',
    ])
    await user.click(screen.getByRole('button', { name: 'Enable 2FA' }))
    await user.click(await screen.findByRole('button', { name: 'Enter the seed of a token' }))
    const seed = '3132 3334 3536 3738 3930 3132 3334 3536 3738 3930'
    await user.type(screen.getByLabelText('Seed of your token'), seed)
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByLabelText('Verification code')).toBeVisible()
    expect(calls.filter(({ key }) => key === enable).map(({ body }) => body)).toEqual([undefined, { secret: seed }])
  })

  it('begins again at the server where somebody goes back from the printed list', async () => {
    let secret = 'ABCD'
    const { user, calls } = renderGate(
      someone,
      {},
      { [enable]: () => ({ body: { qr_code: 'data:,', secret, totp_uri: 'otpauth://x', backup_codes: ['A', 'B'] } }) },
    )
    await user.click(await screen.findByRole('button', { name: 'Enable 2FA' }))
    await user.click(await screen.findByRole('button', { name: 'Use a printed list' }))
    await screen.findByRole('list', { name: 'Printed codes' })
    secret = 'EFGH'
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(await screen.findByText('EFGH')).toBeVisible()
    const bodies = calls.filter(({ key }) => key === enable).map(({ body }) => body)
    expect(bodies).toEqual([undefined, { kind: 'printed_codes' }, undefined])
  })

  it('names passkeys where the page can use them', async () => {
    vi.stubGlobal('isSecureContext', true)
    vi.stubGlobal('PublicKeyCredential', vi.fn())
    renderGate(someone)
    const ways = await screen.findByRole('list', { name: 'One of these is enough:' })
    expect(ways).toHaveTextContent('a passkey: this device, a phone or a security key')
  })

  it('asks for the password where it was given long ago', async () => {
    const code = 'password_confirmation_required'
    const { user } = renderGate(someone, {}, { [enable]: () => failure(403, 'Confirm', { code }) })
    await user.click(await screen.findByRole('button', { name: 'Enable 2FA' }))
    expect(await screen.findByLabelText('Your password')).toBeVisible()
  })

  it.each([
    ['who has it', { two_factor_enabled: true }],
    ['whose printed list is used up', { two_factor_enabled: true, printed_codes_left: 0 }],
    ['who has a passkey', { has_passkey: true }],
    ['in the days of grace', { two_factor_grace: true }],
    ['in a grace without end', { two_factor_grace: true, two_factor_due: null }],
    ['from whom none is required', { two_factor_due: null }],
  ])('lets a user in %s', async (_, state) => {
    renderGate({ ...someone, ...state })
    expect(await screen.findByText('the dashboard')).toBeVisible()
  })
})
