import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { listOfAdmins, listOfAll, plainAdmin, renderPanel, superAdmin } from '../../testing/admin-panel.tsx'
import { captureDownloads } from '../../testing/downloads.ts'
import { someUser } from '../../testing/fake-server.ts'
import { AdminPage } from './admin-page.tsx'
import { SuperAdminPage } from './super-admin-page.tsx'

const bilal: User = { ...someUser, id: 'b'.repeat(24), first_name: 'Bilal', email: 'bilal@example.org' }
const page = { body: { users: [someUser, bilal], total: 2, page: 1, per_page: 10, pages: 1 } }
const bulk = 'POST /api/auth/admin/users/bulk'
const address = () => screen.getByRole('status', { name: 'address' }).textContent
const selectAll = () => screen.findByRole('checkbox', { name: 'Select everybody on this page' })

type Handlers = Parameters<typeof renderPanel>[3]

function renderList(path = '/admin', handlers: Handlers = {}) {
  return renderPanel(path, <AdminPage />, plainAdmin, { [listOfAdmins]: () => page, ...handlers })
}

describe('order and filters of users', () => {
  it('a column sorts, and again in reverse; both are in the address', async () => {
    const { user, urls } = renderList('/admin?page=3')
    const head = await screen.findByRole('columnheader', { name: /^Last sign-in/ })
    expect(head).toHaveAttribute('aria-sort', 'none')
    await user.click(within(head).getByRole('button'))
    expect(address()).toBe('/admin?sort=last_login&order=desc')
    expect(head).toHaveAttribute('aria-sort', 'descending')
    await user.click(within(head).getByRole('button'))
    expect(head).toHaveAttribute('aria-sort', 'ascending')
    await waitFor(() => expect(urls.at(-1)).toMatch(/sort=last_login&order=asc/))
  })

  it('says when somebody was here last, or that they never were', async () => {
    const seen = { ...bilal, last_login: '2026-01-02T03:04:05.000Z' }
    renderList('/admin', { [listOfAdmins]: () => ({ body: { ...page.body, users: [someUser, seen] } }) })
    expect(within(await screen.findByRole('row', { name: /nadia@/ })).getByText('Never')).toBeVisible()
    expect(within(screen.getByRole('row', { name: /bilal@/ })).queryByText('Never')).toBeNull()
  })

  it('cards are sorted by a menu', async () => {
    const { user } = renderList()
    await user.click(await screen.findByRole('combobox', { name: 'Sort by' }))
    await user.click(await screen.findByRole('option', { name: 'E-mail, A to Z' }))
    expect(address()).toBe('/admin?sort=email&order=asc')
  })

  it('narrows by role and by how long somebody is away, and goes back to everybody', async () => {
    const { user, urls } = renderPanel('/super-admin', <SuperAdminPage />, superAdmin, {
      [listOfAll]: () => ({ body: { users: [], total: 0, page: 1, per_page: 10, pages: 0 } }),
    })
    await user.click(await screen.findByRole('combobox', { name: 'Role' }))
    await user.click(await screen.findByRole('option', { name: 'Admins' }))
    await user.click(screen.getByRole('combobox', { name: 'Last sign-in' }))
    await user.click(await screen.findByRole('option', { name: 'Not for 90 days' }))
    expect(address()).toBe('/super-admin?role=admin&inactive=90')
    await waitFor(() =>
      expect(urls.some((url) => url.includes('role=admin') && url.includes('inactive_days=90'))).toBe(true),
    )
    await user.click(await screen.findByRole('button', { name: 'Show all users' }))
    expect(address()).toBe('/super-admin')
  })

  it('exports what is filtered', async () => {
    const downloads = captureDownloads()
    const { user, urls } = renderList('/admin?q=na&state=inactive&sort=name&order=asc', {
      'GET /api/auth/admin/users.csv': () => ({ body: 'email' }),
    })
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText('Users downloaded')).toBeVisible()
    expect(await downloads[0]?.content.text()).toContain('email')
    const query = new URLSearchParams(urls.find((url) => url.includes('users.csv'))?.split('?')[1])
    expect(query.get('search')).toBe('na')
    expect(query.get('state')).toBe('inactive')
    expect(query.get('sort')).toBe('name')
  })
})

describe('acting on several users', () => {
  it('asks first, names them, and clears the selection when it is done', async () => {
    const { user, calls } = renderList('/admin', { [bulk]: () => ({ body: { done: 2, failed: [] } }) })
    await user.click(await selectAll())
    const bar = within(screen.getByRole('region', { name: 'Selection' }))
    expect(bar.getByText('2 users selected')).toBeVisible()
    await user.click(bar.getByRole('button', { name: 'Deactivate' }))
    const dialog = within(await screen.findByRole('dialog'))
    const named = within(dialog.getByRole('list', { name: 'Selected users' })).getAllByRole('listitem')
    expect(named.map(({ textContent }) => textContent)).toEqual([
      'Nadia Ahmadi (nadia@example.org)',
      'Bilal Ahmadi (bilal@example.org)',
    ])
    expect(calls.some((call) => call.key === bulk)).toBe(false)
    await user.click(dialog.getByRole('button', { name: 'Deactivate' }))
    expect(await screen.findByText('2 users deactivated')).toBeVisible()
    expect(calls.find((call) => call.key === bulk)?.body).toEqual({
      ids: [someUser.id, bilal.id],
      action: 'deactivate',
    })
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull())
  })

  it('names whom it failed for and why, in no toast beside, and keeps them selected', async () => {
    const failed = [{ id: bilal.id, email: bilal.email, error: 'The last active super admin stays' }]
    const { user } = renderList('/admin', { [bulk]: () => ({ body: { done: 1, failed } }) })
    await user.click(await selectAll())
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/This action cannot be undone!/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('1 user deleted, 1 not')
    expect(alert).toHaveTextContent('bilal@example.org: The last active super admin stays')
    expect(screen.getAllByRole('alert')).toHaveLength(1)
    expect(screen.getByRole('checkbox', { name: 'Select Bilal Ahmadi' })).toBeChecked()
    expect(screen.getByRole('checkbox', { name: 'Select Nadia Ahmadi' })).not.toBeChecked()
  })

  it('activates at once, for nothing is lost', async () => {
    const { user, calls } = renderList('/admin', { [bulk]: () => ({ body: { done: 1, failed: [] } }) })
    await user.click(await screen.findByRole('checkbox', { name: 'Select Bilal Ahmadi' }))
    await user.click(screen.getByRole('button', { name: 'Activate' }))
    expect(await screen.findByText('1 user activated')).toBeVisible()
    expect(calls.find((call) => call.key === bulk)?.body).toEqual({ ids: [bilal.id], action: 'activate' })
  })

  it('changes roles', async () => {
    const { user, calls } = renderList('/admin', { [bulk]: () => ({ body: { done: 1, failed: [] } }) })
    await user.click(await screen.findByRole('checkbox', { name: 'Select Bilal Ahmadi' }))
    await user.click(screen.getByRole('button', { name: 'Change role' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Make admins' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Make admins' }))
    await waitFor(() => expect(calls.find((call) => call.key === bulk)?.body).toMatchObject({ action: 'make_admin' }))
  })

  it('nobody selects themselves, and an admin no super admin', async () => {
    const users = [plainAdmin, { ...someUser, role: 'super_admin' }]
    renderList('/admin', { [listOfAdmins]: () => ({ body: { ...page.body, users } }) })
    expect(await selectAll()).toBeDisabled()
    for (const box of screen.getAllByRole('checkbox')) expect(box).toBeDisabled()
  })

  it('another filter selects nobody', async () => {
    const { user } = renderList()
    await user.click(await selectAll())
    await user.click(screen.getByRole('button', { name: /^Active/ }))
    expect(screen.queryByRole('region', { name: 'Selection' })).toBeNull()
  })
})
