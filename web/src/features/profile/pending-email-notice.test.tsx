import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { StopEmailChangePage } from '../auth/stop-email-change-page.tsx'
import { failure, fakeServer, serverConfig, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { ProfilePage } from './profile-page.tsx'

const pending = { email: 'other@example.org', effective_at: '2026-01-02T03:04:05.000Z' }
const config = { 'GET /api/config': () => ({ body: serverConfig }) }

it('the profile names the address that waits, and keeps the present one', async () => {
  const stop = 'DELETE /api/auth/email-change'
  const calls = fakeServer({ ...config, [stop]: () => ({ body: { user: someUser } }) })
  const { user } = renderAt('/settings/profile', <ProfilePage />, { ...someUser, pending_email: pending })
  expect(await screen.findByText('other@example.org')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Keep my address' }))
  expect(await screen.findByText('You keep your e-mail address')).toBeVisible()
  expect(screen.queryByText('other@example.org')).toBeNull()
  expect(calls.filter(({ key }) => key === stop)).toHaveLength(1)
})

it('the profile says nothing where none waits', async () => {
  fakeServer(config)
  renderAt('/settings/profile', <ProfilePage />, someUser)
  expect(await screen.findByRole('heading', { name: 'Profile Settings' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Keep my address' })).toBeNull()
})

it('the link of the mail keeps the address at a click', async () => {
  const stop = 'POST /api/auth/email-change/stop'
  const calls = fakeServer({ ...config, [stop]: () => ({ body: { message: 'Your address stays as it is' } }) })
  const { user } = renderAt('/stop-address-change?token=abc', <StopEmailChangePage />)
  expect(calls.some(({ key }) => key === stop)).toBe(false)
  await user.click(await screen.findByRole('button', { name: 'Keep my address' }))
  expect(await screen.findByRole('heading', { name: 'You keep your e-mail address' })).toBeVisible()
  expect(calls.find(({ key }) => key === stop)?.body).toEqual({ token: 'abc' })
})

it('the link of the mail has the profile of whoever is signed in loaded again', async () => {
  const stopped = { body: { message: 'You keep your e-mail address' } }
  fakeServer({ ...config, 'POST /api/auth/email-change/stop': () => stopped })
  const waiting = { ...someUser, pending_email: pending }
  const { user, client } = renderAt('/stop-address-change?token=abc', <StopEmailChangePage />, waiting)
  await user.click(await screen.findByRole('button', { name: 'Keep my address' }))
  await screen.findByRole('heading', { name: 'You keep your e-mail address' })
  expect(client.getQueryState(['session'])?.isInvalidated).toBe(true)
})

it('a link without its token says what to do', async () => {
  const calls = fakeServer(config)
  renderAt('/stop-address-change', <StopEmailChangePage />)
  expect(await screen.findByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
  expect(screen.getByText(/Open the link in the e-mail again/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Keep my address' })).toBeNull()
  expect(calls.some(({ key }) => key.includes('email-change'))).toBe(false)
})

it('the link of the mail says where it does not work any more', async () => {
  const sentence =
    'This link is no longer valid. A newer change may be waiting: use the link of the latest e-mail, or Profile Settings.'
  fakeServer({ ...config, 'POST /api/auth/email-change/stop': () => failure(400, sentence, { code: 'wrong_code' }) })
  const { user } = renderAt('/stop-address-change?token=abc', <StopEmailChangePage />)
  await user.click(await screen.findByRole('button', { name: 'Keep my address' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence)
})
