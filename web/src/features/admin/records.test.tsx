import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { plainAdmin, renderPanel, superAdmin } from '../../testing/admin-panel.tsx'
import { failure, someUser } from '../../testing/fake-server.ts'
import { AuditPage } from './audit-page.tsx'
import { OutboxPage } from './outbox-page.tsx'

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
    recording_id: null,
    recording_name: null,
    case_id: null,
    case_name: null,
    recording_owner: null,
    recording_uploaded_at: null,
    can_open_recording: false,
  }
  const trail = { body: { events: [event], total: 1, page: 1, per_page: 25, pages: 1 } }

  it('describes codes in words, shows seconds, and filters by action and day from the address', async () => {
    const { urls } = renderPanel(
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

  it('names a case and links it, and shows the id of one that is gone', async () => {
    const id = 'c'.repeat(24)
    const about = { ...event, action: 'case.create', details: '', target: id, case_id: id }
    const events = [
      { ...about, id: '1'.repeat(24), case_name: 'بندر' },
      { ...about, id: '2'.repeat(24) },
    ]
    renderPanel('/admin/audit', <AuditPage />, plainAdmin, {
      'GET /api/auth/admin/audit': () => ({ body: { events, total: 2, page: 1, per_page: 25, pages: 1 } }),
    })
    expect(await screen.findByRole('link', { name: 'بندر' })).toHaveAttribute('href', `/cases?case=${id}`)
    expect(screen.getByText(id)).toBeVisible()
  })

  it('names a recording only to those who may read it, and links it where they may open it', async () => {
    const id = 'a'.repeat(24)
    const about = {
      ...event,
      action: 'recording.export',
      details: 'docx, en',
      target: 'recording of sara@example.org, uploaded 2026-01-01 10:00 UTC',
      recording_id: id,
      recording_owner: 'sara@example.org',
      recording_uploaded_at: '2026-01-01T10:00:00.000Z',
    }
    const events = [
      { ...about, id: '1'.repeat(24) },
      { ...about, id: '2'.repeat(24), recording_name: 'زنگ ۱.wav', can_open_recording: true },
      { ...about, id: '3'.repeat(24), recording_name: 'in the trash.wav' },
    ]
    renderPanel('/admin/audit', <AuditPage />, plainAdmin, {
      'GET /api/auth/admin/audit': () => ({ body: { events, total: 3, page: 1, per_page: 25, pages: 1 } }),
    })
    const [unnamed, opened, trashed] = await screen.findAllByRole('row', { name: /Recording exported/ })
    for (const row of [unnamed, opened, trashed])
      expect(row).toHaveTextContent(/docx, English.*recording of sara@example.org, uploaded .*2026/)
    expect(within(opened as HTMLElement).getByRole('link', { name: 'زنگ ۱.wav' })).toHaveAttribute(
      'href',
      `/transcribe?recording=${id}`,
    )
    expect(within(trashed as HTMLElement).getByText('in the trash.wav')).toBeVisible()
    for (const row of [unnamed, trashed]) expect(within(row as HTMLElement).queryByRole('link')).toBeNull()
    expect(screen.queryByText(new RegExp(id))).toBeNull()
  })

  it('shows any action again, and begins with a day that is entered', async () => {
    const { user } = renderPanel('/admin/audit?action=auth.signin', <AuditPage />, plainAdmin, {
      'GET /api/auth/admin/audit': () => trail,
    })
    const address = () => screen.getByRole('status', { name: 'address' }).textContent
    await user.click(await screen.findByRole('combobox', { name: 'Action' }))
    await user.click(await screen.findByRole('option', { name: 'Any action' }))
    await waitFor(() => expect(address()).toBe('/admin/audit'))
    expect(screen.getByRole('combobox', { name: 'Action' })).toHaveValue('Any action')
    await user.type(screen.getByLabelText('From'), '2026-01-02')
    await waitFor(() => expect(address()).toBe('/admin/audit?from=2026-01-02'))
  })
})

describe('the outbox', () => {
  const mail = {
    id: someUser.id,
    to: 'nadia@example.org',
    subject: 'Your password reset code',
    purpose: 'password_reset',
    attempts: 2,
    last_error: '550 Relaying denied',
    next_try_at: '2026-01-02T03:05:05.000Z',
    created_at: '2026-01-02T03:04:05.000Z',
    expires_at: '2026-01-02T03:14:05.000Z',
  }
  const base = '/api/auth/super-admin'
  const outbox = { [`GET ${base}/outbox`]: () => ({ body: { mails: [mail], is_smtp_configured: true } }) }

  it('shows whom a mail is for, how often it was tried and why it failed', async () => {
    renderPanel('/super-admin/outbox', <OutboxPage />, superAdmin, outbox)
    expect((await screen.findByText('nadia@example.org')).closest('li')).toHaveTextContent('to nadia@example.org')
    expect(screen.getByText('2 tries failed')).toBeVisible()
    expect(screen.getByText('550 Relaying denied')).toBeVisible()
    expect(screen.getByText(/next try within a minute/)).toBeVisible()
  })

  it('counts one try as one, and says when a new mail is tried first', async () => {
    const once = { ...mail, attempts: 1, subject: 'Once' }
    const fresh = { ...mail, id: 'b'.repeat(24), attempts: 0, last_error: null, subject: 'Never' }
    renderPanel('/super-admin/outbox', <OutboxPage />, superAdmin, {
      [`GET ${base}/outbox`]: () => ({ body: { mails: [once, fresh], is_smtp_configured: true } }),
    })
    const rowOf = (subject: string) => screen.getByText(subject).closest('li')
    expect(await screen.findByText('1 try failed')).toBeVisible()
    const [first, second] = [rowOf('Once'), rowOf('Never')]
    expect(first).toHaveTextContent('next try within a minute')
    expect(second).toHaveTextContent('first try within a minute')
    expect(second).not.toHaveTextContent('failed')
  })

  it('sends a mail now and shows the reply of the mail server', async () => {
    const { user } = renderPanel('/super-admin/outbox', <OutboxPage />, superAdmin, {
      ...outbox,
      [`POST ${base}/outbox/${mail.id}/send`]: () =>
        failure(502, 'The mail could not be sent', { code: 'mail_failed', details: ['550 Relaying denied'] }),
    })
    await user.click(await screen.findByRole('button', { name: /^Send now: Your password reset code/ }))
    expect(await screen.findByText('The mail could not be sent: 550 Relaying denied')).toBeVisible()
  })

  it('sends a test mail to an address, one’s own unless another is given', async () => {
    const key = `POST ${base}/test-mail`
    const { user, calls } = renderPanel('/super-admin/outbox', <OutboxPage />, superAdmin, {
      ...outbox,
      [key]: () => ({ body: { message: 'Test mail sent to it@example.org' } }),
    })
    await user.click(await screen.findByRole('button', { name: 'Send test mail' }))
    const dialog = within(await screen.findByRole('dialog'))
    const to = dialog.getByRole('textbox', { name: 'To' })
    expect(to).toHaveValue(superAdmin.email)
    await user.clear(to)
    await user.type(to, 'it@example.org')
    await user.click(dialog.getByRole('button', { name: 'Send' }))
    expect(await screen.findByText('Test mail sent to it@example.org')).toBeVisible()
    expect(calls.find((call) => call.key === key)?.body).toEqual({ to: 'it@example.org' })
  })

  it('shows in the dialog alone why a test mail was refused', async () => {
    const { user } = renderPanel('/super-admin/outbox', <OutboxPage />, superAdmin, {
      ...outbox,
      [`POST ${base}/test-mail`]: () =>
        failure(502, 'The mail could not be sent', { code: 'mail_failed', details: ['535 Authentication failed'] }),
    })
    await user.click(await screen.findByRole('button', { name: 'Send test mail' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Send' }))
    expect(await screen.findAllByText(/535 Authentication failed/)).toHaveLength(1)
  })

  it('without a mail server there is nothing to send with, and the page says who hands the mails over', async () => {
    renderPanel('/super-admin/outbox', <OutboxPage />, superAdmin, {
      [`GET ${base}/outbox`]: () => ({ body: { mails: [], is_smtp_configured: false } }),
    })
    expect(await screen.findByText(/No mail server is set/)).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Nothing is waiting' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Send test mail' })).toBeNull()
  })

  it('asks for the password before a mail is read, and says why where that is cancelled', async () => {
    const read = `GET ${base}/outbox/${mail.id}`
    const reason = 'Please confirm your password first.'
    const { user, calls } = renderPanel('/super-admin/outbox', <OutboxPage />, superAdmin, {
      ...outbox,
      [read]: () =>
        calls.some(({ key }) => key === 'POST /api/auth/confirm-password')
          ? { body: { ...mail, text: 'Hello' } }
          : failure(403, reason, { code: 'password_confirmation_required' }),
      'POST /api/auth/confirm-password': () => ({
        body: { access_token: 'new', refresh_token: 'new', message: 'Password confirmed' },
      }),
      'GET /api/auth/sessions': () => ({ body: { sessions: [] } }),
    })
    const confirmation = async () => within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
    await user.click(await screen.findByRole('button', { name: /^Read/ }))
    await user.click((await confirmation()).getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText(reason)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await user.type((await confirmation()).getByLabelText('Your password'), 'Harvest-moon7')
    await user.click((await confirmation()).getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('Hello')).toBeVisible()
  })

  it('copies code and link of a mail', async () => {
    vi.stubGlobal('isSecureContext', true)
    const text = 'Hello,\n\n    123456\n\nReset password:\nhttp://here/reset-password?token=abc\n\nAwaz'
    const { user } = renderPanel('/super-admin/outbox', <OutboxPage />, superAdmin, {
      ...outbox,
      [`GET ${base}/outbox/${mail.id}`]: () => ({ body: { ...mail, text } }),
    })
    await user.click(await screen.findByRole('button', { name: /^Read/ }))
    await user.click(await screen.findByRole('button', { name: 'Copy code' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('123456'))
    await user.click(screen.getByRole('button', { name: 'Copy link' }))
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('http://here/reset-password?token=abc'))
  })

  it('shows the invitations of a server without mail on one page, to copy or to print', async () => {
    const print = vi.fn<() => void>()
    vi.stubGlobal('print', print)
    vi.stubGlobal('isSecureContext', true)
    const invited = ['a', 'b'].map((letter) => ({
      ...mail,
      id: letter.repeat(24),
      to: `${letter}@example.org`,
      subject: 'You are invited to Awaz',
      purpose: 'invitation',
    }))
    const linkOf = (id: string) => `https://awaz.example.org/accept-invitation?token=${id}`
    const reads = invited.map(({ id, ...rest }) => [
      `GET ${base}/outbox/${id}`,
      () => ({ body: { ...rest, id, text: `Hello,\n\nAccept the invitation:\n${linkOf(id)}\n` } }),
    ])
    const { user } = renderPanel('/super-admin/outbox', <OutboxPage />, superAdmin, {
      [`GET ${base}/outbox`]: () => ({ body: { mails: [mail, ...invited], is_smtp_configured: false } }),
      ...Object.fromEntries(reads),
    })
    await user.click(await screen.findByRole('button', { name: 'Invitations on one page' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invitations' }))
    const slips = within(await dialog.findByRole('list', { name: 'Invitations' })).getAllByRole('listitem')
    expect(slips.map(({ textContent }) => textContent)).toEqual(
      invited.map(({ id, to }) => expect.stringMatching(new RegExp(`^${to}.*${id}$`))),
    )
    await user.click(dialog.getByRole('button', { name: 'Copy all' }))
    await dialog.findByRole('button', { name: 'Copied' })
    const copied = await navigator.clipboard.readText()
    for (const { id, to } of invited) expect(copied).toContain(`${to}\n${linkOf(id)}`)
    await user.click(dialog.getByRole('button', { name: 'Print' }))
    expect(print).toHaveBeenCalledOnce()
  })
})
