import { screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { useLocation } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, serverConfig, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { AdminPage } from './admin-page.tsx'
import { AuditPage } from './audit-page.tsx'
import { OutboxPage } from './outbox-page.tsx'
import { SuperAdminPage } from './super-admin-page.tsx'

const superAdmin: User = { ...someUser, id: 'f'.repeat(24), username: 'boss', role: 'super_admin' }
const plainAdmin: User = { ...superAdmin, role: 'admin' }
const list = { body: { users: [someUser], total: 12, page: 1, per_page: 10, pages: 2 } }
const stats = { body: { total_users: 12, active_users: 11, verified_users: 10, users_with_2fa: 9 } }
const listOfAdmins = 'GET /api/auth/admin/users'
const listOfAll = 'GET /api/auth/super-admin/users'
const statsKey = 'GET /api/auth/admin/stats'
const defaultHandlers = { [listOfAdmins]: () => list, [listOfAll]: () => list, [statsKey]: () => stats }

function Address() {
  const { pathname, search } = useLocation()
  return <output aria-label="address">{pathname + search}</output>
}

type Handlers = Parameters<typeof fakeServer>[0]

function render(path: string, page: ReactNode, user: User, handlers: Handlers = {}) {
  const urls: string[] = []
  const answered: Handlers = { ...defaultHandlers, 'GET /api/config': () => ({ body: serverConfig }), ...handlers }
  const recording: Handlers = {}
  for (const [key, answer] of Object.entries(answered)) {
    recording[key] = (request) => {
      urls.push(request.url)
      return answer(request)
    }
  }
  const calls = fakeServer(recording)
  const view = renderAt(
    path,
    <>
      {page}
      <Address />
    </>,
    user,
  )
  return { calls, urls, ...view }
}

const address = () => screen.getByRole('status', { name: 'address' }).textContent

describe('the lists of users', () => {
  it('Refresh fetches the figures too', async () => {
    const { user, calls } = render('/admin', <AdminPage />, plainAdmin)
    await screen.findByText('nadia@example.org', { exact: false })
    const count = (key: string) => calls.filter((call) => call.key === key).length
    expect([count(listOfAdmins), count(statsKey)]).toEqual([1, 1])
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect([count(listOfAdmins), count(statsKey)]).toEqual([2, 2]))
  })

  it('search, state and page are kept in the address and read from it', async () => {
    const { user, urls } = render('/admin?q=nadia&state=verified&page=2', <AdminPage />, plainAdmin)
    await screen.findByText('nadia@example.org', { exact: false })
    expect(
      urls.some((url) => url.includes('page=2') && url.includes('search=nadia') && url.includes('state=verified')),
    ).toBe(true)
    expect(screen.getByRole('textbox', { name: 'Search users' })).toHaveValue('nadia')
    await user.click(screen.getByRole('button', { name: /^With two-factor/ }))
    expect(address()).toBe('/admin?q=nadia&state=with_2fa')
    expect(screen.getByRole('button', { name: /^With two-factor/ })).toHaveAttribute('aria-pressed', 'true')
    await user.clear(screen.getByRole('textbox', { name: 'Search users' }))
    await waitFor(() => expect(address()).toBe('/admin?state=with_2fa'))
  })

  it('a super admin excludes themselves', async () => {
    const { user, urls } = render('/super-admin', <SuperAdminPage />, superAdmin)
    await user.click(await screen.findByRole('switch', { name: 'Without me' }))
    await waitFor(() => expect(urls.some((url) => url.includes('exclude_self=true'))).toBe(true))
  })

  it('a role is changed only once that was confirmed', async () => {
    const key = `PUT /api/auth/super-admin/users/${someUser.id}/role`
    const { user, calls } = render('/super-admin', <SuperAdminPage />, superAdmin, {
      [key]: () => ({ body: { user: { ...someUser, role: 'super_admin' } } }),
    })
    await user.click(await screen.findByRole('combobox', { name: /^Role of/ }))
    await user.click(await screen.findByRole('option', { name: 'Super admin' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/becomes Super admin instead of User/)).toBeVisible()
    expect(calls.some((call) => call.key === key)).toBe(false)
    await user.click(dialog.getByRole('button', { name: 'Change role' }))
    await waitFor(() => expect(calls.find((call) => call.key === key)?.body).toEqual({ role: 'super_admin' }))
  })
})

describe('what may be done to a user', () => {
  async function itemsOf(panel: ReactNode, reader: User, target: Partial<User>) {
    const users = { body: { ...list.body, users: [{ ...someUser, ...target }] } }
    const { user } = render('/x', panel, reader, { [listOfAdmins]: () => users, [listOfAll]: () => users })
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    const items = await screen.findAllByRole('menuitem')
    return items.map((item) => item.textContent)
  }

  it('an admin: everything but passwords', async () => {
    const twoFactor = { two_factor_enabled: true }
    const all = ['View Details', 'Edit', 'Reset Two-Factor', 'Deactivate', 'Revoke Sessions', 'Delete']
    expect(await itemsOf(<AdminPage />, plainAdmin, twoFactor)).toEqual(all)
  })

  it('an admin: only details of a super admin', async () => {
    expect(await itemsOf(<AdminPage />, plainAdmin, { role: 'super_admin' })).toEqual(['View Details'])
  })

  it('a super admin: everything in one menu', async () => {
    const all = ['View Details', 'Edit', 'Reset Password', 'Deactivate', 'Revoke Sessions', 'Delete']
    expect(await itemsOf(<SuperAdminPage />, superAdmin, { role: 'super_admin' })).toEqual(all)
  })

  it('two-factor is reset only with a reason', async () => {
    const key = `POST /api/auth/admin/users/${someUser.id}/reset-2fa`
    const secured = { body: { ...list.body, users: [{ ...someUser, two_factor_enabled: true }] } }
    const { user, calls } = render('/admin', <AdminPage />, plainAdmin, {
      [listOfAdmins]: () => secured,
      [key]: () => ({ body: { user: someUser } }),
    })
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Reset Two-Factor' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Reset Two-Factor' }))
    expect(dialog.getByText('Please give a reason')).toBeVisible()
    await user.type(dialog.getByLabelText(/^Reason/), 'Lost phone')
    await user.click(dialog.getByRole('button', { name: 'Reset Two-Factor' }))
    await waitFor(() => expect(calls.find((call) => call.key === key)?.body).toEqual({ reason: 'Lost phone' }))
    expect(await screen.findByText('Two-factor authentication reset')).toBeVisible()
  })

  it('a user is edited, and a taken address is an error at its field', async () => {
    const key = `PUT /api/auth/admin/users/${someUser.id}`
    const { user, calls } = render('/admin', <AdminPage />, plainAdmin, {
      [key]: () => failure(409, 'Email already registered', { code: 'email_taken' }),
    })
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.clear(dialog.getByLabelText(/^Email/))
    await user.type(dialog.getByLabelText(/^Email/), 'other@example.org')
    expect(dialog.getByText(/must be verified by the link/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
    await waitFor(() => expect(dialog.getByLabelText(/^Email/)).toHaveAccessibleDescription('Email already registered'))
    expect(calls.find((call) => call.key === key)?.body).toMatchObject({
      email: 'other@example.org',
      first_name: 'Nadia',
    })
  })
})

describe('the audit trail', () => {
  const event = {
    id: someUser.id,
    at: '2026-01-02T03:04:05.000Z',
    action: 'auth.signin',
    outcome: 'failure',
    actor: 'nadia@example.org',
    actor_id: null,
    target: null,
    ip_address: '192.0.2.7',
    request_id: 'r',
    details: 'wrong_code',
  }
  const trail = { body: { events: [event], total: 1, page: 1, per_page: 25, pages: 1 } }

  it('describes codes in words, shows seconds, and filters by action and day from the address', async () => {
    const { urls } = render(
      '/admin/audit?action=auth.signin&from=2026-01-02&to=2026-01-02',
      <AuditPage />,
      plainAdmin,
      {
        'GET /api/auth/admin/audit': () => trail,
      },
    )
    const row = within(await screen.findByRole('row', { name: /nadia@example.org/ }))
    expect(row.getByText('Sign-in')).toBeVisible()
    expect(row.getByText('Failed')).toBeVisible()
    expect(row.getByText('wrong authentication code')).toBeVisible()
    expect(row.getByText(/:04:05$/)).toBeVisible()
    const query = new URL(urls.find((url) => url.includes('audit')) ?? '', 'http://x').searchParams
    expect(query.get('action')).toBe('auth.signin')
    const [from = '', to = ''] = [query.get('from') ?? '', query.get('to') ?? '']
    expect(Date.parse(to) - Date.parse(from)).toBe(24 * 60 * 60_000 - 1)
  })
})

describe('the outbox', () => {
  const mail = {
    id: someUser.id,
    to: 'nadia@example.org',
    subject: 'Your password reset code',
    attempts: 2,
    last_error: '550 Relaying denied',
    next_try_at: '2026-01-02T03:05:05.000Z',
    created_at: '2026-01-02T03:04:05.000Z',
    expires_at: '2026-01-02T03:14:05.000Z',
  }
  const base = '/api/auth/super-admin'
  const outbox = { [`GET ${base}/outbox`]: () => ({ body: { mails: [mail], is_smtp_configured: true } }) }

  it('shows whom a mail is for, how often it was tried and why it failed', async () => {
    render('/super-admin/outbox', <OutboxPage />, superAdmin, outbox)
    expect(await screen.findByText(/to nadia@example.org/)).toBeVisible()
    expect(screen.getByText(/2 tries failed: 550 Relaying denied/)).toBeVisible()
  })

  it('sends a mail now and shows the reply of the mail server', async () => {
    const { user } = render('/super-admin/outbox', <OutboxPage />, superAdmin, {
      ...outbox,
      [`POST ${base}/outbox/${mail.id}/send`]: () =>
        failure(502, 'The mail could not be sent', { code: 'mail_failed', details: ['550 Relaying denied'] }),
    })
    await user.click(await screen.findByRole('button', { name: /^Send Your password reset code/ }))
    expect(await screen.findByText('The mail could not be sent: 550 Relaying denied')).toBeVisible()
  })

  it('sends a test mail', async () => {
    const { user } = render('/super-admin/outbox', <OutboxPage />, superAdmin, {
      ...outbox,
      [`POST ${base}/test-mail`]: () => ({ body: { message: 'Test mail sent to nadia@example.org' } }),
    })
    await user.click(await screen.findByRole('button', { name: 'Send test mail' }))
    expect(await screen.findByText('Test mail sent to nadia@example.org')).toBeVisible()
    expect(screen.queryByText('Sending a test mail…')).toBeNull()
  })

  it('copies code and link of a mail', async () => {
    Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true })
    const text = 'Hello,\n\n    123456\n\nReset password:\nhttp://here/reset-password?token=abc\n\nAwaz'
    const { user } = render('/super-admin/outbox', <OutboxPage />, superAdmin, {
      ...outbox,
      [`GET ${base}/outbox/${mail.id}`]: () => ({ body: { ...mail, text } }),
    })
    await user.click(await screen.findByRole('button', { name: /^Read/ }))
    await user.click(await screen.findByRole('button', { name: 'Copy code' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('123456'))
    await user.click(screen.getByRole('button', { name: 'Copy link' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('http://here/reset-password?token=abc'))
  })
})
