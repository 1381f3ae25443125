import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { Shell } from './shell.tsx'

describe('header and footer', () => {
  it('have the logo, which leads home, and the account menu', () => {
    fakeServer({})
    renderAt('/settings/profile', <Shell>the page</Shell>, someUser)
    const header = within(screen.getByRole('banner'))
    expect(header.getByRole('link', { name: /^Awaz/ })).toHaveAttribute('href', '/dashboard')
    expect(header.getByRole('link', { name: /^Awaz/ })).toHaveTextContent('Awaz')
    expect(header.getByRole('link', { name: /^Awaz/ }).querySelector('svg')).toBeVisible()
    expect(header.getByRole('button', { name: /^Account menu of Nadia Ahmadi/ })).toBeVisible()
  })

  it('have the menu of narrow screens for users only', async () => {
    fakeServer({})
    const { unmount } = renderAt('/settings/profile', <Shell>the page</Shell>, someUser)
    expect(screen.getByRole('button', { name: 'Navigation' })).toBeVisible()
    unmount()
    renderAt('/terms', <Shell>the page</Shell>)
    expect(await screen.findByRole('link', { name: 'Sign In' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Navigation' })).toBeNull()
  })

  it.each([
    ['Terms of Service', '/terms'],
    ['Privacy Policy', '/privacy'],
    ['Support', '/support'],
  ])('link %s', (name, path) => {
    fakeServer({})
    renderAt('/settings/profile', <Shell>the page</Shell>, someUser)
    const footer = within(screen.getByRole('contentinfo'))
    expect(footer.getByRole('link', { name })).toHaveAttribute('href', path)
  })
})
