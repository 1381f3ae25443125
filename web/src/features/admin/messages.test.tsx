import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { failure, fakeServer, offline, someUser } from '../../testing/fake-server.ts'
import { messageOf, unseenMessages } from '../../testing/messages.ts'
import { renderAt } from '../../testing/render.tsx'
import { AdminPage } from './admin-page.tsx'
import { SuperAdminPage } from './super-admin-page.tsx'

const superAdmin: User = { ...someUser, id: 'f'.repeat(24), username: 'boss', role: 'super_admin' }
const list = { body: { users: [someUser], total: 1, page: 1, per_page: 10, pages: 1 } }
const base = '/api/auth/super-admin'

type Answer = () => { status?: number; statusText?: string; body: unknown }

function renderPanel(key: string, answer: Answer) {
  fakeServer({ [`GET ${base}/users`]: () => list, [key]: answer })
  return renderAt('/super-admin', <SuperAdminPage />, superAdmin).user
}

async function openMenu(user: ReturnType<typeof renderPanel>, item: string) {
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await user.click(await screen.findByRole('menuitem', { name: item }))
  return within(await screen.findByRole('dialog'))
}

async function create(answer: Answer) {
  const user = renderPanel(`POST ${base}/create-user`, answer)
  await user.click(await screen.findByRole('button', { name: 'Create User' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByLabelText(/^Email/))
  await user.paste('made@example.org')
  await user.click(dialog.getByLabelText(/^Username/))
  await user.paste('made')
  await user.click(dialog.getByLabelText(/^Password/, { selector: 'input' }))
  await user.paste('Quiet.Hill42')
  await user.click(dialog.getByRole('button', { name: 'Create User' }))
}

async function setRole(answer: Answer) {
  const user = renderPanel(`PUT ${base}/users/${someUser.id}/role`, answer)
  await user.click(await screen.findByRole('combobox', { name: /^Role of/ }))
  await user.click(await screen.findByRole('option', { name: 'Admin' }))
  await user.click(await screen.findByRole('button', { name: 'Change role' }))
}

async function resetPassword(answer: Answer) {
  const user = renderPanel(`POST ${base}/users/${someUser.id}/reset-password`, answer)
  const dialog = await openMenu(user, 'Reset Password')
  await user.type(dialog.getByLabelText('New password'), 'Quiet.Hill42')
  await user.click(dialog.getByRole('button', { name: 'Reset Password' }))
}

async function remove(answer: Answer) {
  const user = renderPanel(`DELETE ${base}/users/${someUser.id}`, answer)
  const dialog = await openMenu(user, 'Delete')
  await user.click(dialog.getByRole('button', { name: 'Delete user' }))
}

const actions = [
  ['admin-create-failed', create],
  ['admin-role-failed', setRole],
  ['admin-reset-failed', resetPassword],
  ['admin-delete-failed', remove],
] as const

const toast = async (text: string) => await screen.findByText(text, { selector: '.mantine-Notification-body *' })

describe.each(actions)('%s', (situation, perform) => {
  it('is shown where the response has no text', async () => {
    await perform(() => failure(500))
    expect(await toast(messageOf(situation))).toBeVisible()
  })

  it('is shown where the network is down', async () => {
    await perform(offline)
    expect(await toast(messageOf(situation))).toBeVisible()
  })

  it.each([
    ['the message', { message: 'the message', error: 'the error', details: ['the details'] }],
    ['the error', { error: 'the error', details: ['the details'] }],
    ['the details', { details: ['the details'] }],
    ['the status text', {}],
  ])('gives way to %s', async (text, body) => {
    await perform(() => ({ status: 400, statusText: 'the status text', body }))
    expect(await toast(text)).toBeVisible()
  })
})

describe('admin messages', () => {
  it('admin-reset-requirements heads the list of what is missing', async () => {
    await resetPassword(() => failure(400, 'something else', { details: ['one digit', 'one special character'] }))
    const alert = (await screen.findByText(messageOf('admin-reset-requirements'))).closest('[role=alert]')
    expect(alert).toHaveTextContent('one digit')
    expect(alert).toHaveTextContent('one special character')
  })

  it.each([
    ['the admin panel', 'GET /api/auth/admin/users', <AdminPage key="admin" />],
    ['the super admin panel', `GET ${base}/users`, <SuperAdminPage key="super" />],
  ])('admin-list-failed: %s shows a red box with the message', async (_, key, panel) => {
    fakeServer({ [key]: () => failure(500, 'The kettle is on.') })
    renderAt('/admin', panel, superAdmin)
    const heading = await screen.findByRole('heading', { name: messageOf('admin-list-failed') })
    expect(heading.closest('[role=alert]')).toHaveTextContent('The kettle is on.')
  })

  it('are all of the table', () => {
    expect(unseenMessages('admin-')).toEqual([])
  })
})
