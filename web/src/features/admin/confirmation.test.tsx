import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { list, listOfAdmins, plainAdmin, renderPanel, superAdmin } from '../../testing/admin-panel.tsx'
import { failure, someUser } from '../../testing/fake-server.ts'
import { AdminPage } from './admin-page.tsx'
import { SuperAdminPage } from './super-admin-page.tsx'

const status = `PUT /api/auth/admin/users/${someUser.id}/status`
const confirm = 'POST /api/auth/confirm-password'
const tokens = { access_token: 'new', refresh_token: 'new', message: 'Password confirmed' }
const tooOld = failure(403, 'Please confirm your password first.', { code: 'password_confirmation_required' })

const session = {
  id: '0123456789abcdef01234568',
  ip_address: '192.0.2.7',
  user_agent: '',
  last_used: '2026-01-02T03:04:05.000Z',
  expires_at: '2099-01-03T03:04:05.000Z',
  current: true,
}

async function deactivate(
  reader: User,
  confirmAnswer: () => { status?: number; body: unknown } = () => ({ body: tokens }),
  sessions: object[] = [],
) {
  let isConfirmed = false
  const view = renderPanel('/admin', <AdminPage />, reader, {
    [listOfAdmins]: () => list,
    [status]: () => (isConfirmed ? { body: { user: { ...someUser, is_active: false } } } : tooOld),
    [confirm]: () => {
      const answer = confirmAnswer()
      isConfirmed = answer.status === undefined
      return answer
    },
    'GET /api/auth/sessions': () => ({ body: { sessions } }),
    'GET /api/auth/profile': () => ({ body: { user: { ...reader, printed_codes_left: 8 }, backup_codes_left: 8 } }),
  })
  await view.user.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await view.user.click(await screen.findByRole('menuitem', { name: 'Deactivate' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }))
  return { ...view, dialog, count: (key: string) => view.calls.filter((call) => call.key === key).length }
}

describe('an administrative call whose confirmation is too old', () => {
  it('asks for the password and is repeated', async () => {
    const { user, dialog, calls, count } = await deactivate(plainAdmin)
    expect(dialog.queryByLabelText('Authenticator code')).toBeNull()
    await user.type(dialog.getByLabelText('Your password'), 'Harvest-moon7')
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('User deactivated')).toBeVisible()
    expect(calls.find(({ key }) => key === confirm)?.body).toEqual({ password: 'Harvest-moon7' })
    expect(count(status)).toBe(2)
    expect(calls.findLast(({ key }) => key === status)?.headers.get('Authorization')).toBe('Bearer new')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('asks for the code too where there is one, and says at which field it is wrong', async () => {
    const wrong = () => failure(400, 'Invalid verification code. Please try again.', { code: 'wrong_code' })
    const { user, dialog, calls } = await deactivate({ ...superAdmin, two_factor_enabled: true }, wrong)
    await user.type(dialog.getByLabelText('Your password'), 'Harvest-moon7')
    expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await user.type(dialog.getByLabelText('Authenticator code'), '123456')
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(dialog.getByLabelText('Authenticator code')).toBeInvalid())
    expect(calls.find(({ key }) => key === confirm)?.body).toEqual({ password: 'Harvest-moon7', totp_token: '123456' })
  })

  it('takes a code of a printed list, and reloads how many are left', async () => {
    const reader = { ...superAdmin, two_factor_enabled: true, printed_codes_left: 9 }
    localStorage.setItem('access_token', 'a')
    const { user, dialog, calls, client } = await deactivate(reader)
    await user.type(dialog.getByLabelText('Your password'), 'Harvest-moon7')
    await user.type(dialog.getByLabelText('A code from your printed list'), 'abcd123')
    expect(dialog.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await user.type(dialog.getByLabelText('A code from your printed list'), '4')
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('User deactivated')).toBeVisible()
    expect(calls.find(({ key }) => key === confirm)?.body).toEqual({
      password: 'Harvest-moon7',
      totp_token: 'abcd1234',
    })
    await waitFor(() => expect(client.getQueryData(['session'])).toMatchObject({ printed_codes_left: 8 }))
  })

  it.each([
    [9, /uses up a code of your list, on which 9 are left/],
    [1, /on which 1 is left/],
    [0, /No code of your list is left. Ask a super administrator/],
  ])('says of a printed list with %i codes what a confirmation costs', async (count, sentence) => {
    const { dialog } = await deactivate({ ...superAdmin, two_factor_enabled: true, printed_codes_left: count })
    expect(dialog.getByText(sentence)).toBeVisible()
  })

  it('asks for a new sign-in although this browser takes the last one for recent: the server refused it', async () => {
    const { dialog } = await deactivate({ ...superAdmin, has_passkey: true }, undefined, [
      { ...session, created_at: new Date().toISOString() },
    ])
    expect(await dialog.findByRole('button', { name: 'Sign in again' })).toBeVisible()
  })

  it('asks whoever has a passkey and no codes to sign in again', async () => {
    const { dialog } = await deactivate({ ...superAdmin, has_passkey: true })
    expect(await dialog.findByText(/Your second factor is a passkey/)).toBeVisible()
    expect(dialog.getByRole('button', { name: 'Sign in again' })).toBeVisible()
  })

  it('fails with the reason where the question is cancelled, and is not repeated', async () => {
    const { user, dialog, count } = await deactivate(plainAdmin)
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByText('Please confirm your password first.')).toBeVisible()
    expect(count(status)).toBe(1)
  })

  it('says what has to be confirmed, and that the change is repeated by hand after a new sign-in', async () => {
    const sentence = 'Your confirmation lasts five minutes.'
    const { dialog, unmount } = await deactivate(plainAdmin)
    expect(dialog.getByText(sentence)).toBeVisible()
    unmount()
    const again = await deactivate({ ...superAdmin, has_passkey: true })
    expect(again.dialog.getByText(sentence)).toBeVisible()
    expect(await again.dialog.findByText(/Please sign in again/)).toHaveTextContent(/Then try again\.$/)
  })
})

describe('a question above an open form', () => {
  const edit = `PUT /api/auth/admin/users/${someUser.id}`
  const create = 'POST /api/auth/super-admin/create-user'
  const handlers = { [listOfAdmins]: () => list, [edit]: () => tooOld, [create]: () => tooOld }

  it('is closed alone by Escape: the form stays with what was typed, until it is closed itself', async () => {
    const { user } = renderPanel('/admin', <AdminPage />, superAdmin, handlers)
    await user.click(await screen.findByRole('button', { name: /^Actions for/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const form = within(await screen.findByRole('dialog', { name: 'Edit User' }))
    await user.clear(form.getByLabelText('First name'))
    await user.type(form.getByLabelText('First name'), 'Nargis')
    await user.click(form.getByRole('button', { name: 'Save Changes' }))
    await screen.findByRole('dialog', { name: 'Confirm that it is you' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull())
    expect(form.getByLabelText('First name')).toHaveValue('Nargis')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is closed alone where the dialog of the form was mounted with the page', async () => {
    const { user } = renderPanel('/super-admin', <SuperAdminPage />, superAdmin, handlers)
    await user.click(await screen.findByRole('button', { name: 'Create User' }))
    const form = within(await screen.findByRole('dialog', { name: 'Create User' }))
    await user.type(form.getByLabelText(/^Email/), 'nargis@example.org')
    await user.type(form.getByLabelText(/^Username/), 'nargis')
    await user.type(form.getByLabelText(/^Password/, { selector: 'input' }), 'Harvest-moon7')
    await user.click(form.getByRole('button', { name: 'Create User' }))
    await screen.findByRole('dialog', { name: 'Confirm that it is you' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Confirm that it is you' })).toBeNull())
    expect(form.getByLabelText(/^Username/)).toHaveValue('nargis')
  })
})
