import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { Invitation } from '#contract/entities/invitation.ts'
import { plainAdmin, superAdmin } from '../../testing/admin-panel.tsx'
import { failure, someUser } from '../../testing/fake-server.ts'
import { createKey, invitationList, listKey, renderPeople, someInvitation } from '../../testing/people.tsx'
import { InvitationsPage } from './invitations-page.tsx'

const path = '/admin/invitations'
const address = () => screen.getByRole('status', { name: 'address' }).textContent

function renderWith(...invitations: Invitation[]) {
  return renderPeople(path, <InvitationsPage />, { handlers: { [listKey]: () => invitationList(...invitations) } })
}

describe('the list of invitations', () => {
  it('is for admins', () => {
    renderPeople(path, <InvitationsPage />, { user: someUser })
    expect(screen.getByText('You need admin privileges to access this page.')).toBeVisible()
  })

  it('says state, role and when a link ends in words', async () => {
    const hour = 3_600_000
    const ago = (ms: number) => new Date(Date.now() - ms).toISOString()
    renderWith(
      someInvitation,
      { ...someInvitation, id: 'b'.repeat(24), role: 'admin', state: 'expired', expires_at: ago(25 * hour) },
      { ...someInvitation, id: 'c'.repeat(24), state: 'accepted', accepted_at: ago(2 * hour + 1000) },
      { ...someInvitation, id: 'd'.repeat(24), state: 'revoked' },
    )
    const rows = await screen.findAllByRole('row', { name: /Zarghuna Ana/ })
    expect(rows.map((row) => within(row).getAllByRole('cell')[2]?.textContent)).toEqual([
      'Pendingexpires in 6 days',
      'Expiredexpired yesterday',
      'Acceptedaccepted 2 hours ago',
      'Revoked',
    ])
    expect(within(rows[1] ?? document.body).getByText('Admin')).toBeVisible()
    expect(screen.getByText('4 invitations')).toBeVisible()
  })

  it('explains itself while it is empty', async () => {
    renderPeople(path, <InvitationsPage />)
    expect(await screen.findByRole('heading', { name: 'Nobody is invited yet' })).toBeVisible()
    expect(screen.getByText(/chooses a password, sets up two-factor authentication and is in/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Invite somebody' })).toBeVisible()
  })

  it('keeps search, state and page in the address', async () => {
    const { user, urls } = renderPeople(`${path}?q=zar&state=expired&page=2`, <InvitationsPage />)
    expect(await screen.findByRole('heading', { name: 'No invitations found' })).toBeVisible()
    expect(
      urls.some((url) => url.includes('page=2') && url.includes('search=zar') && url.includes('state=expired')),
    ).toBe(true)
    await user.click(screen.getByRole('combobox', { name: 'State' }))
    await user.click(await screen.findByRole('option', { name: 'Accepted' }))
    expect(address()).toBe(`${path}?q=zar&state=accepted`)
    await user.clear(screen.getByRole('textbox', { name: 'Search invitations' }))
    await waitFor(() => expect(address()).toBe(`${path}?state=accepted`))
    await user.click(screen.getByRole('combobox', { name: 'State' }))
    await user.click(await screen.findByRole('option', { name: 'Any state' }))
    await waitFor(() => expect(address()).toBe(path))
    expect(screen.getByRole('combobox', { name: 'State' })).toHaveValue('Any state')
  })

  it('can be tried again where it could not be loaded', async () => {
    let isBroken = true
    const { user } = renderPeople(path, <InvitationsPage />, {
      handlers: { [listKey]: () => (isBroken ? failure(500, 'The kettle is on.') : invitationList(someInvitation)) },
    })
    expect(await screen.findByText('The kettle is on.')).toBeVisible()
    isBroken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Zarghuna Ana')).toBeVisible()
  })

  it('says where the links are on a server that sends no mail', async () => {
    const config = { is_smtp_configured: false }
    renderPeople(path, <InvitationsPage />, { config, user: superAdmin })
    expect(await screen.findByRole('link', { name: 'Mail page' })).toHaveAttribute('href', '/super-admin/outbox')
  })

  it('sends an admin to a super admin for them', async () => {
    renderPeople(path, <InvitationsPage />, { config: { is_smtp_configured: false } })
    expect(await screen.findByText(/which super admins can open/)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Mail page' })).toBeNull()
  })

  it('invites nobody while registration is closed, and says why', async () => {
    renderPeople(path, <InvitationsPage />, { config: { registration: 'closed' } })
    expect(await screen.findByText('Registration is closed')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Invite' })).toBeDisabled()
    expect(screen.getByRole('button', { name: 'Import CSV' })).toBeDisabled()
    expect(screen.queryByRole('button', { name: 'Invite somebody' })).toBeNull()
  })
})

describe('inviting somebody', () => {
  async function openDialog(options: Parameters<typeof renderPeople>[2] = {}) {
    const view = renderPeople(path, <InvitationsPage />, options)
    await view.user.click(await screen.findByRole('button', { name: 'Invite' }))
    return { ...view, dialog: within(await screen.findByRole('dialog')) }
  }

  it('sends address, names, role and days', async () => {
    const { user, dialog, bodiesOf } = await openDialog({
      handlers: { [createKey]: () => ({ status: 201, body: { invitation: someInvitation } }) },
    })
    await user.type(dialog.getByLabelText(/^Email/), 'zarghuna@example.org')
    await user.type(dialog.getByLabelText('First name'), 'Zarghuna')
    await user.click(dialog.getByRole('combobox', { name: 'The link works for' }))
    await user.click(await screen.findByRole('option', { name: '14 days' }))
    await user.click(dialog.getByRole('button', { name: 'Send invitation' }))
    expect(await screen.findByText('Invitation sent to zarghuna@example.org')).toBeVisible()
    expect(bodiesOf(createKey)).toEqual([
      { email: 'zarghuna@example.org', first_name: 'Zarghuna', last_name: '', role: 'user', days: 14 },
    ])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await waitFor(() => expect(bodiesOf(listKey)).toHaveLength(2))
  })

  it.each([
    { user: plainAdmin, offered: ['User', 'Admin'] },
    { user: superAdmin, offered: ['User', 'Admin', 'Super admin'] },
  ])('offers who is $user.role the roles that they may give', async ({ user: reader, offered }) => {
    const { user, dialog } = await openDialog({ user: reader })
    await user.click(dialog.getByRole('combobox', { name: 'Role' }))
    const options = await screen.findAllByRole('option')
    expect(options.map((option) => option.textContent)).toEqual(offered)
  })

  it('shows a wrong and a taken address at its field', async () => {
    const { user, dialog } = await openDialog({
      handlers: { [createKey]: () => failure(409, 'Email already registered', { code: 'email_taken' }) },
    })
    await user.type(dialog.getByLabelText(/^Email/), 'nobody')
    await user.click(dialog.getByRole('button', { name: 'Send invitation' }))
    expect(dialog.getByLabelText(/^Email/)).toHaveAccessibleDescription('Please enter a valid email address')
    expect(dialog.getByLabelText(/^Email/)).toHaveFocus()
    await user.type(dialog.getByLabelText(/^Email/), '@example.org')
    await user.click(dialog.getByRole('button', { name: 'Send invitation' }))
    await waitFor(() => expect(dialog.getByLabelText(/^Email/)).toHaveAccessibleDescription('Email already registered'))
  })

  it('shows what concerns no field above the form', async () => {
    const { user, dialog } = await openDialog({
      handlers: { [createKey]: () => failure(403, 'Registration is closed.', { code: 'registration_closed' }) },
    })
    await user.type(dialog.getByLabelText(/^Email/), 'a@example.org')
    await user.click(dialog.getByRole('button', { name: 'Send invitation' }))
    expect(await dialog.findByRole('alert')).toHaveTextContent('Registration is closed.')
  })
})

describe('what can be done with an invitation', () => {
  const itemKey = `/api/auth/admin/invitations/${someInvitation.id}`

  it('a new link replaces the old one', async () => {
    const { user, bodiesOf } = renderPeople(path, <InvitationsPage />, {
      handlers: {
        [listKey]: () => invitationList(someInvitation),
        [`POST ${itemKey}/resend`]: () => ({ body: { invitation: someInvitation } }),
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for zarghuna@example.org' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Send a new link' }))
    expect(
      await screen.findByText('A new link was sent to zarghuna@example.org. The old one no longer works.'),
    ).toBeVisible()
    await waitFor(() => expect(bodiesOf(listKey)).toHaveLength(2))
  })

  it('revoking is confirmed', async () => {
    const { user, bodiesOf } = renderPeople(path, <InvitationsPage />, {
      handlers: {
        [listKey]: () => invitationList(someInvitation),
        [`DELETE ${itemKey}`]: () => ({ body: { message: 'ok' } }),
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for zarghuna@example.org' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Revoke' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/no longer works/)).toHaveTextContent('zarghuna@example.org')
    expect(bodiesOf(`DELETE ${itemKey}`)).toHaveLength(0)
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('Invitation revoked')).toBeVisible()
  })

  it('a failure is shown in words', async () => {
    const { user } = renderPeople(path, <InvitationsPage />, {
      handlers: {
        [listKey]: () => invitationList(someInvitation),
        [`POST ${itemKey}/resend`]: () => failure(409, 'This invitation was accepted.', { code: 'conflict' }),
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Actions for zarghuna@example.org' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Send a new link' }))
    expect(await screen.findByText('This invitation was accepted.')).toBeVisible()
  })

  it('ended invitations and those of super admins have no actions for an admin', async () => {
    renderWith(
      { ...someInvitation, state: 'accepted', accepted_at: someInvitation.sent_at },
      { ...someInvitation, id: 'b'.repeat(24), state: 'revoked' },
      { ...someInvitation, id: 'c'.repeat(24), role: 'super_admin' },
    )
    expect(await screen.findAllByText('Zarghuna Ana')).toHaveLength(3)
    expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull()
  })
})
