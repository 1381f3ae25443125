import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { plainAdmin, renderPanel, superAdmin } from '../../testing/admin-panel.tsx'
import { failure, someUser } from '../../testing/fake-server.ts'
import { UserPage } from './user-page.tsx'

const base = `/api/auth/admin/users/${someUser.id}`
const session = {
  id: '0123456789abcdef01234999',
  ip_address: '192.0.2.7',
  user_agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0',
  created_at: '2026-01-02T03:04:05.000Z',
  last_used: '2026-01-02T03:04:05.000Z',
  expires_at: '2026-01-03T03:04:05.000Z',
  current: false,
}
const attempt = { id: someUser.id, ip_address: '192.0.2.9', attempted_at: '2026-01-02T03:04:05.000Z' }
const event = {
  id: someUser.id,
  at: '2026-01-02T03:04:05.000Z',
  action: 'admin.role',
  outcome: 'success',
  actor: 'boss@example.org',
  actor_id: null,
  target: someUser.email,
  ip_address: '192.0.2.7',
  request_id: 'r',
  details: 'user to admin',
  recording_id: null,
  recording_name: null,
  recording_owner: null,
  recording_uploaded_at: null,
  case_id: null,
  case_name: null,
  can_open_recording: false,
}

type Handlers = Parameters<typeof renderPanel>[3]

function renderUser(reader: User, target: Partial<User> = {}, more: Handlers = {}) {
  const details = {
    user: { ...someUser, ...target },
    sessions: [session],
    recent_login_attempts: [{ ...attempt, success: false, failure_reason: 'wrong_code' }],
    locked_seconds: 0,
    providers: ['Contoso'],
  }
  return renderPanel(`/admin/user?id=${someUser.id}`, <UserPage />, reader, {
    [`GET ${base}`]: () => ({ body: details }),
    'GET /api/auth/admin/audit': () => ({ body: { events: [event], total: 1, page: 1, per_page: 8, pages: 1 } }),
    ...more,
  })
}

const region = async (name: string) => within(await screen.findByRole('region', { name }))
const buttons = () =>
  screen.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent)

describe('the page of a user', () => {
  it('shows who they are, how they sign in, their sessions, attempts and activity in words', async () => {
    renderUser(superAdmin, { has_passkey: true })
    expect(await screen.findByRole('heading', { level: 1, name: 'Nadia Ahmadi' })).toBeVisible()
    expect((await region('Signing in')).getByText('Contoso')).toBeVisible()
    expect((await region('Signing in')).getByText('Set up')).toBeVisible()
    expect((await region('Sessions')).getByText('Firefox on Windows')).toBeVisible()
    expect((await region('Recent sign-in attempts')).getByText('Failed: wrong authentication code')).toBeVisible()
    const activity = await region('Activity')
    expect(await activity.findByText('Role changed')).toBeVisible()
    expect(activity.getByText(/by boss@example.org · User to Admin/)).toBeVisible()
  })

  it('says that a user without a password signs in through a provider', async () => {
    renderUser(superAdmin, { has_password: false })
    expect((await region('Signing in')).getByText('None: signs in through a provider')).toBeVisible()
  })

  it('a super admin may do everything', async () => {
    renderUser(superAdmin, { two_factor_enabled: true })
    await screen.findByRole('region', { name: 'Danger zone' })
    const ofSession = 'End the session of Nadia Ahmadi: Firefox on Windows, 192.0.2.7'
    const all = ['Edit', 'Reset Password', 'Reset Two-Factor', 'Revoke Sessions', ofSession, 'Deactivate', 'Delete']
    expect(buttons()).toEqual(all)
    expect(screen.getByRole('combobox', { name: 'Role of Nadia Ahmadi' })).toBeVisible()
  })

  it('an admin sees a super admin and may do nothing to them', async () => {
    renderUser(plainAdmin, { role: 'super_admin' })
    expect(await screen.findByRole('heading', { name: 'Identity' })).toBeVisible()
    expect(screen.queryAllByRole('button')).toEqual([])
    expect(screen.queryByRole('combobox')).toBeNull()
    expect(screen.queryByRole('region', { name: 'Danger zone' })).toBeNull()
  })

  it('nobody changes their own role or ends their own account', async () => {
    renderUser({ ...superAdmin, id: someUser.id }, { role: 'super_admin' })
    expect(await screen.findByText(/Nobody changes their own role/)).toBeVisible()
    expect(screen.queryByRole('combobox')).toBeNull()
    expect(screen.queryByRole('region', { name: 'Danger zone' })).toBeNull()
  })

  it('a role is changed only once that was confirmed', async () => {
    const key = `PUT ${base}/role`
    const { user, calls } = renderUser(plainAdmin, {}, { [key]: () => ({ body: { user: someUser } }) })
    await user.click(await screen.findByRole('combobox', { name: 'Role of Nadia Ahmadi' }))
    await user.click(await screen.findByRole('option', { name: 'Admin' }))
    expect(calls.some((call) => call.key === key)).toBe(false)
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/^Admins manage users and other admins/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Change role' }))
    await waitFor(() => expect(calls.find((call) => call.key === key)?.body).toEqual({ role: 'admin' }))
  })

  it('a lock is shown with its time and ended', async () => {
    const locked = {
      user: someUser,
      sessions: [],
      recent_login_attempts: [],
      locked_seconds: 120,
      providers: [],
    }
    const { user } = renderUser(
      plainAdmin,
      {},
      { [`GET ${base}`]: () => ({ body: locked }), [`POST ${base}/unlock`]: () => ({ body: { message: 'ok' } }) },
    )
    expect(await screen.findByText('Locked for another 2 min')).toBeVisible()
    expect(screen.getByText('Not signed in anywhere.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Unlock now' }))
    expect(await screen.findByText('Account unlocked')).toBeVisible()
  })

  it('deleting is confirmed, and leads back to the list', async () => {
    const key = `DELETE ${base}`
    const { user } = renderUser(plainAdmin, {}, { [key]: () => ({ body: { message: 'ok' } }) })
    await user.click((await region('Danger zone')).getByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/This action cannot be undone!/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Delete user' }))
    expect(await screen.findByText('User deleted')).toBeVisible()
    await waitFor(() => expect(screen.getByRole('status', { name: 'address' })).toHaveTextContent(/^\/admin$/))
  })

  it('says so where there is no such user', async () => {
    renderUser(plainAdmin, {}, { [`GET ${base}`]: () => failure(404, 'User not found', { code: 'not_found' }) })
    expect(await screen.findByRole('heading', { name: 'This user does not exist' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'All users' })).toHaveAttribute('href', '/admin')
  })

  it('says so where none is chosen', () => {
    renderPanel('/admin/user', <UserPage />, superAdmin)
    expect(screen.getByRole('heading', { name: 'No user is chosen' })).toBeVisible()
    expect(screen.getByRole('link', { name: 'All users' })).toHaveAttribute('href', '/super-admin')
  })
})

describe('what is pending for a super admin', () => {
  const pending_email = { email: 'other@example.org', effective_at: '2026-01-02T03:04:05.000Z' }
  const library_closure = {
    closed_at: '2026-01-02T03:04:05.000Z',
    reason: 'two_factor',
    former_email: 'before@example.org',
    needs_password: false,
  } as const
  const all = `/api/auth/super-admin/users/${someUser.id}`

  it.each([
    ['Cancel the change', `DELETE ${all}/email-change`, 'Change of address cancelled', undefined],
    ['Apply now', `POST ${all}/email-change`, 'New address applied', { email: 'other@example.org' }],
    ['Open the library', `POST ${all}/open-library`, 'The library is open', { address: 'former' }],
  ])('%s', async (name, key, toast, body) => {
    const target = { pending_email, library_closure: { ...library_closure, proofs: [] } }
    const { user, calls } = renderUser(superAdmin, target, { [key]: () => ({ body: { user: someUser } }) })
    expect(await screen.findByText(/other@example.org takes effect/)).toBeVisible()
    expect(screen.getByText(/The two-factor authentication of this account was reset/)).toBeVisible()
    await user.click(screen.getByRole('button', { name }))
    expect(await screen.findByText(toast)).toBeVisible()
    expect(calls.find((call) => call.key === key)).toMatchObject({ body })
  })

  it('chooses which address an account keeps', async () => {
    const target = { library_closure: { ...library_closure, proofs: [] } }
    const key = `POST ${all}/open-library`
    const { user, calls } = renderUser(superAdmin, target, { [key]: () => ({ body: { user: someUser } }) })
    expect(await screen.findByRole('radio', { name: 'before@example.org' })).toBeChecked()
    await user.click(screen.getByRole('radio', { name: someUser.email }))
    await user.click(screen.getByRole('button', { name: 'Open the library' }))
    expect(await screen.findByText('The library is open')).toBeVisible()
    expect(calls.find((call) => call.key === key)?.body).toEqual({ address: 'present' })
  })

  it('an admin sees it and decides nothing', async () => {
    renderUser(plainAdmin, { pending_email, library_closure: { ...library_closure, proofs: [] } })
    expect(await screen.findByText(/or when a super admin opens it/)).toBeVisible()
    for (const name of ['Cancel the change', 'Apply now', 'Open the library'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })
})
