import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { NavigationMenu, NavigationRail } from './navigation.tsx'

const admin = { ...someUser, role: 'admin' as const }

function currentLinks() {
  return screen
    .getAllByRole('link')
    .filter((link) => link.hasAttribute('aria-current'))
    .map((link) => [link.textContent, link.getAttribute('aria-current')])
}

describe('the navigation', () => {
  it.each([
    ['/dashboard', 'Library', 'page'],
    ['/transcribe', 'Library', 'true'],
    ['/search', 'Search', 'page'],
    ['/settings/general', 'Keywords', 'page'],
    ['/settings/profile', 'Settings', 'true'],
    ['/super-admin/outbox', 'Administration', 'true'],
  ])('shows at %s that this is %s', (path, label, current) => {
    renderAt(path, <NavigationRail user={admin} />, admin)
    expect(currentLinks()).toEqual([[label, current]])
  })

  it('offers the administration to administrators alone', () => {
    const { unmount } = renderAt('/dashboard', <NavigationRail user={someUser} />, someUser)
    expect(screen.queryByRole('link', { name: 'Administration' })).toBeNull()
    unmount()
    renderAt('/dashboard', <NavigationRail user={admin} />, admin)
    expect(screen.getByRole('link', { name: 'Administration' })).toBeVisible()
  })

  it('opens from its button on a narrow screen, and closes by Escape', async () => {
    const { user } = renderAt('/dashboard', <NavigationMenu user={someUser} />, someUser)
    const button = screen.getByRole('button', { name: 'Navigation' })
    await user.click(button)
    const links = within(await screen.findByRole('navigation', { name: 'Main' })).getAllByRole('link')
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Library',
      'Search',
      'Alerts',
      'Cases',
      'Keywords',
      'Settings',
    ])
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('navigation')).toBeNull()
    expect(button).toHaveFocus()
  })
})
