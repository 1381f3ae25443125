import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { list, listOfAdmins, plainAdmin, renderPanel, superAdmin } from '../../testing/admin-panel.tsx'
import { someUser } from '../../testing/fake-server.ts'
import { AdminPage } from './admin-page.tsx'
import { SuperAdminPage } from './super-admin-page.tsx'

const panels: [name: string, path: string, page: ReactNode, reader: User][] = [
  ['admin panel', '/admin', <AdminPage key="admin" />, plainAdmin],
  ['super admin panel', '/super-admin', <SuperAdminPage key="super" />, superAdmin],
]

async function optionsOf(user: ReturnType<typeof renderPanel>['user'], name: RegExp) {
  await user.click(await screen.findByRole('combobox', { name }))
  return (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
}

describe.each(panels)('the %s', (_, path, page, reader) => {
  it('asks for ten users per page, and for the next', async () => {
    const { user, urls } = renderPanel(path, page, reader)
    await screen.findByText('nadia@example.org', { exact: false })
    const queries = () =>
      urls.filter((url) => url.includes('/users?')).map((url) => new URLSearchParams(url.split('?')[1]))
    expect(queries().map((query) => [query.get('page'), query.get('per_page')])).toEqual([['1', '10']])
    await user.click(screen.getByRole('button', { name: 'Page 2' }))
    await waitFor(() => expect(queries().at(-1)?.get('page')).toBe('2'))
  })

  it('searches for what is typed', async () => {
    const { urls } = renderPanel(path, page, reader)
    fireEvent.change(await screen.findByRole('textbox', { name: 'Search users' }), { target: { value: 'zarghuna' } })
    await waitFor(() => expect(urls.at(-1)).toContain('search=zarghuna'))
    expect(screen.getByRole('button', { name: 'Refresh' })).toBeEnabled()
  })

  it('filters by role', async () => {
    const { user } = renderPanel(path, page, reader)
    expect(await optionsOf(user, /^Role$/)).toEqual(['All roles', 'Super admins', 'Admins', 'Users'])
  })
})

it('the admin panel shows four figures', async () => {
  renderPanel('/admin', <AdminPage />, plainAdmin)
  const figures = within(screen.getByRole('group', { name: 'Figures' }))
  await figures.findByText('12')
  expect(figures.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Total users12',
    'Active11',
    'Verified10',
    'With two-factor9',
  ])
})

it.each([
  ['an admin', <AdminPage key="admin" />, plainAdmin, ['User', 'Admin']],
  ['a super admin', <SuperAdminPage key="super" />, superAdmin, ['User', 'Admin', 'Super admin']],
] as const)('%s gives the roles of theirs', async (_, page, reader, roles) => {
  const { user } = renderPanel('/admin', page, reader)
  expect(await optionsOf(user, /^Role of/)).toEqual(roles)
})

it('an inactive user is activated', async () => {
  const key = `PUT /api/auth/admin/users/${someUser.id}/status`
  const { user, calls } = renderPanel('/admin', <AdminPage />, plainAdmin, {
    [listOfAdmins]: () => ({ body: { ...list.body, users: [{ ...someUser, is_active: false }] } }),
    [key]: () => ({ body: { user: someUser } }),
  })
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Activate' }))
  expect(await screen.findByText('User activated')).toBeVisible()
  expect(calls.find((call) => call.key === key)?.body).toEqual({ is_active: true })
})

it('sessions are revoked once that was confirmed', async () => {
  const key = `DELETE /api/auth/admin/users/${someUser.id}/sessions`
  const { user, calls } = renderPanel('/admin', <AdminPage />, plainAdmin, {
    [key]: () => ({ body: { message: 'ok' } }),
  })
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Revoke Sessions' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText('Are you sure you want to revoke all sessions for this user?')).toBeVisible()
  expect(calls.some((call) => call.key === key)).toBe(false)
  await user.click(dialog.getByRole('button', { name: 'Revoke Sessions' }))
  expect(await screen.findByText('Sessions revoked')).toBeVisible()
})

it('a new user is made in a dialog with every field of the form', async () => {
  const { user } = renderPanel('/super-admin', <SuperAdminPage />, superAdmin)
  await user.click(await screen.findByRole('button', { name: 'Create User' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create User' }))
  for (const name of ['First name', 'Last name']) expect(dialog.getByLabelText(name)).not.toBeRequired()
  for (const name of [/^Email/, /^Username/, /^Password/]) {
    expect(dialog.getByLabelText(name, { selector: 'input' })).toBeRequired()
  }
  expect(dialog.getByRole('combobox', { name: /^Role/ })).toHaveValue('User')
  expect(dialog.getByRole('combobox', { name: /^Role/ })).toBeRequired()
  expect(dialog.getByRole('switch', { name: 'E-mail is verified' })).toBeChecked()
  expect(dialog.getByRole('switch', { name: 'Account is active' })).toBeChecked()
})

it('the dialog that resets a password lists the requirements', async () => {
  const { user } = renderPanel('/super-admin', <SuperAdminPage />, superAdmin)
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: 'Reset Password' }))
  const requirements = within(await screen.findByRole('list', { name: 'Password requirements' }))
  expect(requirements.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'At least 8 characters',
    'At most 128 characters',
    'An uppercase letter',
    'A lowercase letter',
    'A number',
    'A special character such as ! @ # $ %',
    'No character three times in a row',
  ])
})

it.each(['Delete', 'Reset Password'])('the dialog of %s opens and closes', async (name) => {
  const { user } = renderPanel('/super-admin', <SuperAdminPage />, superAdmin)
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
