import { fireEvent, screen, within } from '@testing-library/react'
import { Route, Routes } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { SecurityPage } from './security-page.tsx'

const enable = 'POST /api/auth/2fa/enable'
const verify = 'POST /api/auth/2fa/verify'
const disable = 'POST /api/auth/2fa/disable'
const renew = 'POST /api/auth/2fa/backup-codes'
const change = 'POST /api/auth/change-password'
const tokens = { access_token: 'a', refresh_token: 'r' }
const setup = { qr_code: 'data:,', secret: 'ABCD', totp_uri: 'otpauth://x', backup_codes: ['ABCD1234', 'EFGH5678'] }
const withFactor = { ...someUser, two_factor_enabled: true }
const session = {
  id: '0123456789abcdef01234568',
  ip_address: '192.0.2.7',
  user_agent: '',
  created_at: '2026-01-02T03:04:05.000Z',
  last_used: '2026-01-02T03:04:05.000Z',
  expires_at: '2026-01-03T03:04:05.000Z',
}

function renderSecurity(user: User = someUser) {
  let isEnabled = user.two_factor_enabled
  const profile = () => ({ user: { ...user, two_factor_enabled: isEnabled }, backup_codes_left: 8 })
  const calls = fakeServer({
    'GET /api/auth/sessions': () => ({
      body: {
        sessions: [
          { ...session, current: true },
          { ...session, id: 'f'.repeat(24), current: false },
        ],
      },
    }),
    'GET /api/auth/profile': () => ({ body: profile() }),
    'POST /api/auth/confirm-password': () => ({ body: { message: 'ok', ...tokens } }),
    'DELETE /api/auth/sessions': () => ({ body: { message: 'ok' } }),
    [enable]: () => ({ body: setup }),
    [verify]: () => {
      isEnabled = true
      return { body: { valid: true, user: profile().user } }
    },
    [disable]: () => ({ body: { user: someUser } }),
    [renew]: () => ({ body: { backup_codes: ['NEW1NEW1', 'NEW2NEW2'] } }),
    [change]: () => ({ body: { message: 'ok', user: someUser, ...tokens } }),
  })
  localStorage.setItem('access_token', 'a')
  const pages = (
    <Routes>
      <Route path="/settings/security" element={<SecurityPage />} />
      <Route path="/login" element={<h1>Welcome Back</h1>} />
    </Routes>
  )
  const view = renderAt('/settings/security', pages, user)
  return { ...view, calls, callsOf: (key: string) => calls.filter((call) => call.key === key) }
}

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const card = () => within(screen.getByRole('region', { name: 'Two-Factor Authentication' }))

/** Opens a dialog by its button and confirms the password in it. */
async function openDialog(user: ReturnType<typeof renderSecurity>['user'], button: string) {
  await user.click(card().getByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(await dialog.findByLabelText('Your password'), { target: { value: 'Correct1!' } })
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  return dialog
}

describe('two-factor', () => {
  it('is enabled in a dialog with the QR code and the backup codes', async () => {
    const { user } = renderSecurity()
    expect(card().getByText('Disabled')).toBeVisible()
    const dialog = await openDialog(user, 'Enable 2FA')
    expect(await dialog.findByAltText('QR code of your secret key')).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    type('Verification code', '123456')
    await user.click(dialog.getByRole('button', { name: 'Verify' }))
    const codes = await dialog.findByRole('list', { name: 'Backup codes' })
    expect([...codes.children].map(({ textContent }) => textContent)).toEqual(setup.backup_codes)
    await user.click(dialog.getByRole('button', { name: 'Complete Setup' }))
    expect(await card().findByText('Enabled')).toBeVisible()
  })

  it('is disabled in a dialog by a code, which goes in the header X-TOTP-Token', async () => {
    const { user, callsOf } = renderSecurity(withFactor)
    expect(card().getByText('Enabled')).toBeVisible()
    const dialog = await openDialog(user, 'Disable 2FA')
    const field = await dialog.findByLabelText('Authenticator code')
    expect(field).toHaveAttribute('maxlength', '6')
    await user.click(dialog.getByRole('button', { name: 'Disable 2FA' }))
    expect(await dialog.findByText('Please enter your authenticator code')).toBeVisible()
    expect(callsOf(disable)).toEqual([])
    fireEvent.change(field, { target: { value: '123456' } })
    await user.click(dialog.getByRole('button', { name: 'Disable 2FA' }))
    expect(await card().findByText('Disabled')).toBeVisible()
    expect(callsOf(disable)[0]?.headers.get('X-TOTP-Token')).toBe('123456')
  })
})

describe('disabling two-factor on a server that requires it', () => {
  const due = '2026-12-03T14:30:00.000Z'

  it.each<[string, Partial<User>, RegExp]>([
    ['says by when it is needed again', { two_factor_due: due, two_factor_grace: true }, /again by .* December at/],
    ['says that it comes first again', { two_factor_due: due }, /again before anything else opens/],
    ['says nothing beside a passkey', { two_factor_due: due, has_passkey: true }, /codes stop working\.$/],
    ['says nothing where none is required', {}, /codes stop working\.$/],
  ])('%s', async (_, state, expected) => {
    const { user } = renderSecurity({ ...withFactor, ...state })
    const dialog = await openDialog(user, 'Disable 2FA')
    expect(await dialog.findByText(/protected only by its password/)).toHaveTextContent(expected)
  })
})

it('without two-factor the page names what serves, also without a phone', () => {
  renderSecurity()
  expect(card().getByRole('list', { name: 'One of these is enough:' })).toHaveTextContent('KeePassXC')
})

it('backup codes are replaced by a code of the authenticator, and the new ones shown once', async () => {
  const { user, callsOf } = renderSecurity(withFactor)
  const dialog = await openDialog(user, 'New backup codes')
  fireEvent.change(await dialog.findByLabelText('Authenticator code'), { target: { value: '123456' } })
  await user.click(dialog.getByRole('button', { name: 'Make new codes' }))
  const codes = await dialog.findByRole('list', { name: 'Backup codes' })
  expect([...codes.children].map(({ textContent }) => textContent)).toEqual(['NEW1NEW1', 'NEW2NEW2'])
  expect(callsOf(renew)[0]?.headers.get('X-TOTP-Token')).toBe('123456')
})

describe('the change of the password', () => {
  const submit = () => screen.getByRole('button', { name: 'Change Password' })

  it('is sent once all three fields are right', async () => {
    const { user, callsOf } = renderSecurity()
    expect(submit()).toBeDisabled()
    type('Current password', 'Correct1!')
    type('New password', 'Quiet.Hill42')
    expect(submit()).toBeDisabled()
    type('Confirm new password', 'Quiet.Hill43')
    expect(screen.getByText('Passwords do not match')).toBeVisible()
    expect(submit()).toBeDisabled()
    type('Confirm new password', 'Quiet.Hill42')
    await user.click(submit())
    expect(await screen.findByText('Password changed successfully')).toBeVisible()
    const body = { current_password: 'Correct1!', new_password: 'Quiet.Hill42' }
    expect(callsOf(change).map((call) => call.body)).toEqual([body])
  })

  it.each([
    ['Aa1!xyz', 'Password must be at least 8 characters long'],
    [`Aa1!${'xy'.repeat(63)}`, 'Password must be no more than 128 characters long'],
    ['abcdefg1!', 'Password must contain at least one uppercase letter'],
    ['ABCDEFG1!', 'Password must contain at least one lowercase letter'],
    ['Abcdefgh!', 'Password must contain at least one digit'],
    ['Abcdefg12', 'Password must contain at least one special character'],
    ['Abcddd12!', 'Password should not contain repeated characters'],
  ])('is not sent with %s, and says why', (password, fault) => {
    renderSecurity()
    type('Current password', 'Correct1!')
    type('New password', password)
    type('Confirm new password', password)
    expect(screen.getByText(fault)).toBeVisible()
    expect(submit()).toBeDisabled()
  })
})

it('all sessions are listed and can be ended at once', async () => {
  const { user, callsOf } = renderSecurity()
  const sessions = within(screen.getByRole('region', { name: 'Sessions' }))
  expect(await sessions.findAllByText(/^192\.0\.2\.7/)).toHaveLength(2)
  expect(sessions.getByText('This session')).toBeVisible()
  await user.click(sessions.getByRole('button', { name: 'End all sessions' }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(await dialog.findByLabelText('Your password'), { target: { value: 'Correct1!' } })
  await user.click(dialog.getByRole('button', { name: 'End all sessions' }))
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible()
  expect(callsOf('DELETE /api/auth/sessions')).toHaveLength(1)
  expect(localStorage.getItem('access_token')).toBeNull()
})
