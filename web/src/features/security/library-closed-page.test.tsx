import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { LibraryClosure, User } from '#contract/entities/user.ts'
import { Gate } from '../../app/gate.tsx'
import { failure, fakeServer, serverConfig, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'

const open = 'POST /api/auth/open-library'
const closure: LibraryClosure = {
  closed_at: '2026-01-02T03:04:05.000Z',
  reason: 'password',
  proofs: ['password', 'code'],
  former_email: null,
  needs_password: false,
}

function renderClosed(change: Partial<LibraryClosure>, handlers: Parameters<typeof fakeServer>[0] = {}) {
  const calls = fakeServer({ 'GET /api/config': () => ({ body: serverConfig }), ...handlers })
  const user: User = { ...someUser, library_closure: { ...closure, ...change } }
  return { calls, ...renderAt('/dashboard', <Gate>the dashboard</Gate>, user) }
}

it('says what happened and what to do, and lets nobody in', async () => {
  renderClosed({ reason: 'address', proofs: [] })
  expect(await screen.findByRole('heading', { name: 'Your library is closed' })).toBeVisible()
  expect(screen.getByText(/An administrator changed the e-mail address of your account/)).toBeVisible()
  expect(screen.getByText(/Ask a super administrator/)).toBeVisible()
  expect(screen.getByText('How to open it')).toBeVisible()
  expect(screen.queryByText(/If you no longer have/)).toBeNull()
  expect(screen.queryByRole('button', { name: 'Open my library' })).toBeNull()
  expect(screen.queryByText('the dashboard')).toBeNull()
})

it('opens by the former password', async () => {
  const { user, calls } = renderClosed(
    {},
    { [open]: () => ({ body: { message: 'Your library is open', user: someUser } }) },
  )
  await user.type(await screen.findByLabelText('Your former password'), 'Harvest-moon7')
  await user.click(screen.getByRole('button', { name: 'Open my library' }))
  expect(await screen.findByText('the dashboard')).toBeVisible()
  expect(calls.find(({ key }) => key === open)?.body).toEqual({ password: 'Harvest-moon7', address: 'former' })
})

it('takes a former code instead, and says at the field that it is wrong', async () => {
  const wrong = () => failure(400, 'This is not a code from before the reset', { code: 'wrong_code' })
  const { user, calls } = renderClosed({}, { [open]: wrong })
  await user.click(await screen.findByRole('radio', { name: 'Code' }))
  await user.type(screen.getByLabelText('Your former code'), '123456')
  await user.click(screen.getByRole('button', { name: 'Open my library' }))
  expect(await screen.findByText('This is not a code from before the reset')).toBeVisible()
  expect(calls.find(({ key }) => key === open)?.body).toEqual({ code: '123456', address: 'former' })
})

it('shows both addresses after a change, and keeps the one that the owner says is theirs', async () => {
  const { user, calls } = renderClosed(
    { reason: 'address', former_email: 'mine@example.org' },
    { [open]: () => ({ body: { message: 'Your library is open', user: someUser } }) },
  )
  expect(await screen.findByRole('radio', { name: /mine@example\.org/ })).toBeChecked()
  await user.click(screen.getByRole('radio', { name: new RegExp(someUser.email) }))
  await user.type(screen.getByLabelText('Your former password'), 'Harvest-moon7')
  await user.click(screen.getByRole('button', { name: 'Open my library' }))
  expect(await screen.findByText('the dashboard')).toBeVisible()
  expect(calls.find(({ key }) => key === open)?.body).toEqual({ password: 'Harvest-moon7', address: 'present' })
})

it('asks for the present password first in a session that began without it', async () => {
  const confirm = 'POST /api/auth/confirm-password'
  const reloaded = { ...someUser, library_closure: { ...closure, needs_password: false } }
  const { user, calls } = renderClosed(
    { needs_password: true },
    {
      [confirm]: () => ({ body: { access_token: 'a', refresh_token: 'b', expires_in: 900, message: 'ok' } }),
      'GET /api/auth/profile': () => ({ body: { user: reloaded, backup_codes_left: 0 } }),
    },
  )
  await user.type(await screen.findByLabelText('Your password'), 'Present-moon7')
  expect(screen.queryByLabelText('Your former password')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Continue' }))
  expect(await screen.findByLabelText('Your former password')).toBeVisible()
  expect(calls.find(({ key }) => key === confirm)?.body).toEqual({ password: 'Present-moon7' })
})
