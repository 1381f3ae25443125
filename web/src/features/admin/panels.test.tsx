import { screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import {
  list,
  listOfAdmins,
  listOfAll,
  plainAdmin,
  renderPanel,
  statsKey,
  superAdmin,
} from '../../testing/admin-panel.tsx'
import { failure, someUser } from '../../testing/fake-server.ts'
import { AdminPage } from './admin-page.tsx'
import { SuperAdminPage } from './super-admin-page.tsx'

const address = () => screen.getByRole('status', { name: 'address' }).textContent

describe('the lists of users', () => {
  it('Refresh fetches the figures too', async () => {
    const { user, calls } = renderPanel('/admin', <AdminPage />, plainAdmin)
    await screen.findByText('nadia@example.org', { exact: false })
    const count = (key: string) => calls.filter((call) => call.key === key).length
    expect([count(listOfAdmins), count(statsKey)]).toEqual([1, 1])
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect([count(listOfAdmins), count(statsKey)]).toEqual([2, 2]))
  })

  it('search, state and page are kept in the address and read from it', async () => {
    const { user, urls } = renderPanel('/admin?q=nadia&state=verified&page=2', <AdminPage />, plainAdmin)
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

  it('View Details leads to the page of the user', async () => {
    const { user } = renderPanel('/admin', <AdminPage />, plainAdmin)
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'View Details' }))
    expect(address()).toBe(`/admin/user?id=${someUser.id}`)
  })

  it('a super admin excludes themselves', async () => {
    const { user, urls } = renderPanel('/super-admin', <SuperAdminPage />, superAdmin)
    await user.click(await screen.findByRole('switch', { name: 'Without me' }))
    await waitFor(() => expect(urls.some((url) => url.includes('exclude_self=true'))).toBe(true))
  })

  it('a role is changed only once that was confirmed', async () => {
    const key = `PUT /api/auth/super-admin/users/${someUser.id}/role`
    const { user, calls } = renderPanel('/super-admin', <SuperAdminPage />, superAdmin, {
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
    const { user } = renderPanel('/x', panel, reader, { [listOfAdmins]: () => users, [listOfAll]: () => users })
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

  it('the admin panel deletes no super admin, whoever uses it', async () => {
    const all = ['View Details', 'Edit', 'Reset Password', 'Deactivate', 'Revoke Sessions']
    expect(await itemsOf(<AdminPage />, superAdmin, { role: 'super_admin' })).toEqual(all)
  })

  it('a super admin: everything in one menu', async () => {
    const all = ['View Details', 'Edit', 'Reset Password', 'Deactivate', 'Revoke Sessions', 'Delete']
    expect(await itemsOf(<SuperAdminPage />, superAdmin, { role: 'super_admin' })).toEqual(all)
  })

  it('two-factor is reset only with a reason', async () => {
    const key = `POST /api/auth/admin/users/${someUser.id}/reset-2fa`
    const secured = { body: { ...list.body, users: [{ ...someUser, two_factor_enabled: true }] } }
    const { user, calls } = renderPanel('/admin', <AdminPage />, plainAdmin, {
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
    const { user, calls } = renderPanel('/admin', <AdminPage />, plainAdmin, {
      [key]: () => failure(409, 'Email already registered', { code: 'email_taken' }),
    })
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.clear(dialog.getByLabelText(/^Email/))
    await user.type(dialog.getByLabelText(/^Email/), 'other@example.org')
    expect(dialog.getByText(/verifies the new address by a link/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
    await waitFor(() => expect(dialog.getByLabelText(/^Email/)).toHaveAccessibleDescription('Email already registered'))
    expect(calls.find((call) => call.key === key)?.body).toMatchObject({
      email: 'other@example.org',
      first_name: 'Nadia',
    })
  })
})

describe('changing users', () => {
  it('a user is created only once e-mail, username and password are entered', async () => {
    const key = 'POST /api/auth/super-admin/create-user'
    const { user, calls } = renderPanel('/super-admin', <SuperAdminPage />, superAdmin, {
      [key]: () => ({ status: 201, body: { user: someUser } }),
    })
    await user.click(await screen.findByRole('button', { name: 'Create User' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Create User' }))
    expect(dialog.getByLabelText(/^Email/)).toHaveAccessibleDescription('Email is required')
    expect(dialog.getByLabelText(/^Email/)).toHaveFocus()
    expect(dialog.getByText('Username is required')).toBeVisible()
    expect(dialog.getByText('Password is required')).toBeVisible()
    await user.type(dialog.getByLabelText(/^Email/), 'made@example.org')
    await user.type(dialog.getByLabelText(/^Username/), 'made')
    await user.type(dialog.getByLabelText(/^Password/, { selector: 'input' }), 'Quiet.Hill42')
    await user.click(dialog.getByRole('switch', { name: 'Account is active' }))
    await user.click(dialog.getByRole('button', { name: 'Create User' }))
    expect(await screen.findByText('User created')).toBeVisible()
    expect(calls.filter((call) => call.key === key).map(({ body }) => body)).toMatchObject([
      { email: 'made@example.org', username: 'made', role: 'user', is_verified: true, is_active: false },
    ])
  })

  it('a blank password is not sent', async () => {
    const { user } = renderPanel('/super-admin', <SuperAdminPage />, superAdmin)
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Reset Password' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('button', { name: 'Reset Password' }))
    expect(dialog.getByText('Password cannot be empty')).toBeVisible()
    expect(dialog.getByLabelText('New password')).toHaveFocus()
  })

  it('deactivating takes effect at once and fetches the list again', async () => {
    const key = `PUT /api/auth/admin/users/${someUser.id}/status`
    const { user, calls } = renderPanel('/admin', <AdminPage />, plainAdmin, {
      [key]: () => ({ body: { user: someUser } }),
    })
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Deactivate' }))
    expect(await screen.findByText('User deactivated')).toBeVisible()
    expect(calls.find((call) => call.key === key)?.body).toEqual({ is_active: false })
    await waitFor(() => expect(calls.filter((call) => call.key === listOfAdmins)).toHaveLength(2))
  })

  it('deleting is confirmed and names the user', async () => {
    const key = `DELETE /api/auth/admin/users/${someUser.id}`
    const { user, calls } = renderPanel('/admin', <AdminPage />, plainAdmin, {
      [key]: () => ({ body: { message: 'ok' } }),
    })
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/This action cannot be undone!/)).toHaveTextContent('nadia@example.org')
    expect(calls.some((call) => call.key === key)).toBe(false)
    await user.click(dialog.getByRole('button', { name: 'Delete user' }))
    expect(await screen.findByText('User deleted')).toBeVisible()
  })
})
