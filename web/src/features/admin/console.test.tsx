import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { plainAdmin, renderPanel, superAdmin } from '../../testing/admin-panel.tsx'
import { someUser } from '../../testing/fake-server.ts'
import { AdminPage } from './admin-page.tsx'
import { ConsolePage } from './console-page.tsx'
import { SuperAdminPage } from './super-admin-page.tsx'

function renderConsole(path: string, user: User, access: 'admin' | 'super_admin' = 'admin') {
  return renderPanel(
    path,
    <ConsolePage title="Something" access={access}>
      <p>The content</p>
    </ConsolePage>,
    user,
  )
}

const links = () => within(screen.getByRole('navigation', { name: 'Administration' })).getAllByRole('link')
const currentLink = () => links().find((link) => link.getAttribute('aria-current') === 'page')

it('an admin finds the pages of admins, and the list of users of admins', () => {
  renderConsole('/admin', plainAdmin)
  const names = ['Overview', 'Users', 'Invitations', 'Sessions', 'Audit', 'Retention', 'Watch folder', 'System']
  expect(links().map(({ textContent }) => textContent)).toEqual(names)
  expect(currentLink()).toHaveTextContent('Users')
  expect(currentLink()).toHaveAttribute('href', '/admin')
})

it('a super admin finds every page, and the list of users of super admins', () => {
  renderConsole('/admin/overview', superAdmin)
  expect(links()).toHaveLength(11)
  expect(currentLink()).toHaveTextContent('Overview')
  expect(screen.getByRole('link', { name: 'Users' })).toHaveAttribute('href', '/super-admin')
})

it('on the page of a user the users are marked, though not as the page itself', () => {
  renderConsole('/admin/user', superAdmin)
  expect(currentLink()).toBeUndefined()
  expect(screen.getByRole('link', { name: 'Users' })).toHaveAttribute('aria-current', 'true')
})

it.each([
  ['a user', someUser, 'admin', 'You need admin privileges to access this page.'],
  ['an admin', plainAdmin, 'super_admin', 'You need super admin privileges to access this page.'],
  ['a user', someUser, 'super_admin', 'You need super admin privileges to access this page.'],
] as const)('%s is kept out of a page beyond their role', (_, user, access, message) => {
  renderConsole('/admin', user, access)
  expect(screen.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  expect(screen.getByText(message)).toBeVisible()
  expect(screen.queryByText('The content')).toBeNull()
  expect(screen.queryByRole('navigation', { name: 'Administration' })).toBeNull()
})

it.each([
  ['the admin panel', <AdminPage key="admin" />, someUser, 'You need admin privileges to access this page.'],
  ['the super admin panel', <SuperAdminPage key="super" />, plainAdmin, /^You need super admin privileges/],
])('%s is for those of its role alone', (_, panel, user, message) => {
  const { calls } = renderPanel('/x', panel, user)
  expect(screen.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  expect(screen.getByText(message)).toBeVisible()
  expect(calls.filter(({ key }) => key.includes('/users'))).toEqual([])
})
