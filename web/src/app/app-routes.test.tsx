import { screen, waitFor } from '@testing-library/react'
import { useLocation } from 'react-router-dom'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { fakeServer, serverConfig, someUser } from '../testing/fake-server.ts'
import { respondWithPage } from '../testing/library.tsx'
import { renderAt } from '../testing/render.tsx'
import { AppRoutes } from './app-routes.tsx'

const superAdmin: User = { ...someUser, role: 'super_admin' }

function Address() {
  const { pathname, search } = useLocation()
  return <output aria-label="address">{pathname + search}</output>
}

function open(path: string, user?: User) {
  fakeServer({
    'GET /api/config': () => ({ body: serverConfig }),
    'POST /api/auth/registration/setup-2fa': () => new Promise(() => {}),
    'GET /api/library': ({ url }) => respondWithPage([], url),
  })
  return renderAt(
    path,
    <>
      <AppRoutes />
      <Address />
    </>,
    user,
  )
}

const heading = (name: string) => screen.findByRole('heading', { level: 1, name })
const expectAddress = (address: string) =>
  waitFor(() => expect(screen.getByRole('status', { name: 'address' })).toHaveTextContent(address))

describe('addresses', () => {
  it.each([
    ['/', '/dashboard'],
    ['/translate', '/transcribe'],
    ['/no/such/page', '/dashboard'],
    ['/registration-2fa', '/dashboard'],
    ['/reset-password', '/dashboard'],
  ])('%s leads to %s', async (from, to) => {
    open(from)
    await expectAddress(to)
  })

  it.each([
    ['/settings/profile', 'Profile Settings'],
    ['/settings/security', 'Security & 2FA'],
    ['/settings/general', 'Keyword Settings'],
    ['/admin', 'Admin Panel'],
    ['/super-admin', 'Super Admin Panel'],
    ['/upload', 'Upload'],
    ['/dashboard', 'Transcribe & Translate'],
  ])('%s is the page %s', async (path, name) => {
    open(path, superAdmin)
    expect(await heading(name)).toBeVisible()
  })

  it.each([
    ['/login', 'Welcome Back'],
    ['/signup', 'Create Account'],
    ['/terms', 'Terms of Service'],
    ['/privacy', 'Privacy Policy'],
    ['/support', 'Support'],
    ['/verify-email', 'Check Your Email'],
    ['/reset-password?token=abc', 'Reset Password'],
    ['/registration-2fa?user_id=abc', 'Set Up Two-Factor Authentication'],
  ])('%s is open to visitors: %s', async (path, name) => {
    open(path)
    expect(await heading(name)).toBeVisible()
  })

  it.each([
    '/dashboard',
    '/upload',
    '/transcribe',
    '/settings/profile',
    '/settings/security',
    '/settings/general',
    '/admin',
    '/super-admin',
  ])('%s shows visitors the authentication screen', async (path) => {
    open(path)
    expect(await heading('Welcome Back')).toBeVisible()
    await expectAddress(path)
  })
})

it('somebody whose address is not verified gets in, as the server is configured by default', async () => {
  open('/settings/profile', { ...someUser, is_verified: false })
  expect(await heading('Profile Settings')).toBeVisible()
})
