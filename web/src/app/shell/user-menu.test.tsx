import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { UserMenu } from './user-menu.tsx'

const menuButton = () => screen.getByRole('button', { name: /^Account menu of/ })

async function openMenu(user: User) {
  const { user: reader } = renderAt('/dashboard', <UserMenu user={user} />, user)
  await reader.click(menuButton())
  return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)
}

describe('who is signed in', () => {
  it.each([
    ['the full name', {}, 'Nadia Ahmadi'],
    ['the username where there is no name', { first_name: '', last_name: '' }, 'nadia'],
  ])('is shown by %s', (_, names, shown) => {
    renderAt('/dashboard', <UserMenu user={{ ...someUser, ...names }} />)
    expect(menuButton()).toHaveTextContent(shown)
    expect(menuButton()).toHaveTextContent('nadia@example.org')
  })

  it('has a shield where two-factor is enabled, and a tag where the address is unverified', () => {
    const { unmount } = renderAt('/dashboard', <UserMenu user={someUser} />)
    expect(screen.queryByLabelText('Two-factor enabled')).toBeNull()
    expect(screen.queryByText('Unverified')).toBeNull()
    unmount()
    renderAt('/dashboard', <UserMenu user={{ ...someUser, two_factor_enabled: true, is_verified: false }} />)
    expect(screen.getByLabelText('Two-factor enabled')).toBeVisible()
    expect(screen.getByText('Unverified')).toBeVisible()
  })
})

describe('the account menu', () => {
  const ofEverybody = ['Profile Settings', 'Security & 2FA', 'Keyword Settings', 'Integrations', 'Settings']

  it.each([
    ['a user', 'user', []],
    ['an admin', 'admin', ['Admin Panel']],
    ['a super admin', 'super_admin', ['Admin Panel', 'Super Admin Panel']],
  ] as const)('offers %s what the role allows', async (_, role, panels) => {
    expect(await openMenu({ ...someUser, role })).toEqual([...ofEverybody, ...panels, 'Sign Out'])
  })

  it.each([
    ['Profile Settings', '/settings/profile'],
    ['Security & 2FA', '/settings/security'],
    ['Keyword Settings', '/settings/general'],
    ['Admin Panel', '/admin'],
    ['Super Admin Panel', '/super-admin'],
  ])('leads by %s to %s', async (name, path) => {
    await openMenu({ ...someUser, role: 'super_admin' })
    expect(screen.getByRole('menuitem', { name })).toHaveAttribute('href', path)
  })

  it('marks two-factor as enabled', async () => {
    await openMenu({ ...someUser, two_factor_enabled: true })
    expect(screen.getByRole('menuitem', { name: /^Security & 2FA/ })).toHaveTextContent('Enabled')
  })
})
