import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, offline, someUser } from '../../testing/fake-server.ts'
import { messageOf, unseenMessages } from '../../testing/messages.ts'
import { renderAt } from '../../testing/render.tsx'
import { SecurityPage } from './security-page.tsx'

const enable = 'POST /api/auth/2fa/enable'
const disable = 'POST /api/auth/2fa/disable'
const change = 'POST /api/auth/change-password'
const confirm = 'POST /api/auth/confirm-password'

function renderSecurity(user: User, handlers: Parameters<typeof fakeServer>[0]) {
  localStorage.setItem('access_token', 'a')
  fakeServer({
    'GET /api/auth/sessions': () => ({ body: { sessions: [someSession] } }),
    [confirm]: () => ({ body: { message: 'Password confirmed', access_token: 'a2', refresh_token: 'r2' } }),
    'GET /api/auth/profile': () => ({ body: { user, backup_codes_left: 8 } }),
    ...handlers,
  })
  return renderAt('/settings/security', <SecurityPage />, user).user
}

const someSession = {
  id: '0123456789abcdef01234568',
  ip_address: '192.0.2.7',
  user_agent: '',
  created_at: '2026-01-02T03:04:05.000Z',
  last_used: '2026-01-02T03:04:05.000Z',
  expires_at: '2026-01-03T03:04:05.000Z',
  current: false,
}

async function giveThePassword(user: ReturnType<typeof renderSecurity>, button: string) {
  await user.type(await screen.findByLabelText('Your password'), 'Correct1!')
  const buttons = screen.getAllByRole('button', { name: button })
  await user.click(buttons.at(-1) ?? document.body)
}

const plain: User = someUser
const protectedUser: User = { ...someUser, two_factor_enabled: true }

async function startEnabling(answer: () => ReturnType<typeof failure>) {
  const user = renderSecurity(plain, { [enable]: answer })
  await user.click(await screen.findByRole('button', { name: 'Enable 2FA' }))
  await giveThePassword(user, 'Continue')
}

async function disableTwoFactor(answer: () => ReturnType<typeof failure>) {
  const user = renderSecurity(protectedUser, { [disable]: answer })
  await user.click(await screen.findByRole('button', { name: 'Disable 2FA' }))
  await giveThePassword(user, 'Continue')
  await user.type(await screen.findByLabelText('Authenticator code'), '123456')
  const buttons = screen.getAllByRole('button', { name: 'Disable 2FA', hidden: true })
  await user.click(buttons.at(-1) ?? document.body)
}

async function changePassword(answer: () => ReturnType<typeof failure>) {
  const user = renderSecurity(plain, { [change]: answer })
  await user.type(await screen.findByLabelText('Current password'), 'Correct1!')
  await user.type(screen.getByLabelText('New password'), 'Quiet.Hill42')
  await user.type(screen.getByLabelText('Confirm new password'), 'Quiet.Hill42')
  await user.click(screen.getByRole('button', { name: 'Change Password' }))
}

describe('the password asked for again', () => {
  it('brings new tokens', async () => {
    const user = renderSecurity(plain, { [enable]: () => failure(500) })
    await user.click(await screen.findByRole('button', { name: 'Enable 2FA' }))
    await giveThePassword(user, 'Continue')
    await vi.waitFor(() => expect(localStorage.getItem('access_token')).toBe('a2'))
    expect(localStorage.getItem('refresh_token')).toBe('r2')
  })

  it('is shown as wrong beside its field, and nothing goes on', async () => {
    const end = 'DELETE /api/auth/sessions/0123456789abcdef01234568'
    const ended = vi.fn<() => { body: object }>(() => ({ body: { message: 'Session ended' } }))
    const user = renderSecurity(plain, {
      [confirm]: () => failure(400, 'Current password is incorrect', { code: 'wrong_password' }),
      [end]: ended,
    })
    await user.click(await screen.findByRole('button', { name: 'End' }))
    await giveThePassword(user, 'End session')
    expect(await screen.findByText('Current password is incorrect')).toBeVisible()
    expect(ended).not.toHaveBeenCalled()
  })

  it('ends another session once it is right', async () => {
    const ended = vi.fn<() => { body: object }>(() => ({ body: { message: 'Session ended' } }))
    const user = renderSecurity(plain, { 'DELETE /api/auth/sessions/0123456789abcdef01234568': ended })
    await user.click(await screen.findByRole('button', { name: 'End' }))
    await giveThePassword(user, 'End session')
    expect(await screen.findByText('Session ended')).toBeVisible()
    expect(ended).toHaveBeenCalledOnce()
  })
})

describe('security messages', () => {
  it.each([
    ['enable-already', startEnabling, () => failure(409, 'something else', { code: 'two_factor_enabled' })],
    ['enable-failed', startEnabling, () => failure(500, 'something else')],
    ['enable-failed', startEnabling, offline],
    ['disable-failed', disableTwoFactor, () => failure(500)],
    ['disable-failed', disableTwoFactor, offline],
    ['password-failed', changePassword, () => failure(500)],
    ['password-failed', changePassword, offline],
  ] as const)('the security page shows %s', async (situation, act, answer) => {
    await act(answer)
    expect(await screen.findByText(messageOf(situation))).toBeVisible()
  })

  it.each([
    ['disabling', disableTwoFactor],
    ['changing the password', changePassword],
  ])('%s shows the message of the server', async (_, act) => {
    await act(() => failure(400, 'The kettle is on.'))
    expect(await screen.findByText('The kettle is on.')).toBeVisible()
  })

  it.each(['enable-', 'disable-', 'password-'] as const)('are all of the table: %s', (part) => {
    expect(unseenMessages(part)).toEqual([])
  })
})
