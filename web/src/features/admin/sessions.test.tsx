import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { plainAdmin, renderPanel } from '../../testing/admin-panel.tsx'
import { someUser } from '../../testing/fake-server.ts'
import { SessionsPage } from './sessions-page.tsx'

const key = 'GET /api/auth/admin/sessions'
const session = {
  id: '0123456789abcdef01234999',
  ip_address: '192.0.2.7',
  user_agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/130.0',
  created_at: '2026-01-02T03:04:05.000Z',
  last_used: '2026-01-02T03:04:05.000Z',
  expires_at: '2026-01-03T03:04:05.000Z',
  current: false,
  user: someUser,
}
const page = (sessions: object[]) => ({ body: { sessions, total: sessions.length, page: 1, per_page: 25, pages: 1 } })

it('shows whose session it is, the device in words, and the address', async () => {
  renderPanel('/admin/sessions', <SessionsPage />, plainAdmin, { [key]: () => page([session]) })
  const row = within(await screen.findByRole('row', { name: /Nadia Ahmadi/ }))
  expect(row.getByRole('link', { name: 'Nadia Ahmadi' })).toHaveAttribute('href', `/admin/user?id=${someUser.id}`)
  expect(row.getByText('Firefox on Windows')).toBeVisible()
  expect(row.getByText('192.0.2.7')).toBeVisible()
})

it('ends a session once that was confirmed, and lists them again', async () => {
  const end = `DELETE /api/auth/admin/sessions/${session.id}`
  const { user, calls } = renderPanel('/admin/sessions', <SessionsPage />, plainAdmin, {
    [key]: () => page([session]),
    [end]: () => ({ body: { message: 'ok' } }),
  })
  await user.click(await screen.findByRole('button', { name: /^End the session of Nadia Ahmadi: Firefox on Windows/ }))
  expect(calls.some((call) => call.key === end)).toBe(false)
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'End session' }))
  expect(await screen.findByText('Session ended')).toBeVisible()
  await waitFor(() => expect(calls.filter((call) => call.key === key)).toHaveLength(2))
})

it('marks one’s own session, and an admin cannot end those of super admins', async () => {
  const own = { ...session, id: '0123456789abcdef01234998', current: true }
  const beyond = { ...session, user: { ...someUser, role: 'super_admin' } }
  renderPanel('/admin/sessions', <SessionsPage />, plainAdmin, { [key]: () => page([own, beyond]) })
  expect(await screen.findByText('This session')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^End the session/ })).toBeNull()
})

it('searches, and says so where nobody is found', async () => {
  const { user, urls } = renderPanel('/admin/sessions?page=2', <SessionsPage />, plainAdmin, { [key]: () => page([]) })
  await user.type(await screen.findByRole('textbox', { name: 'Search by name or e-mail' }), 'bilal')
  await waitFor(() => expect(urls.some((url) => url.includes('search=bilal') && url.includes('page=1'))).toBe(true))
  expect(await screen.findByText('Nobody who matches this search is signed in.')).toBeVisible()
})
