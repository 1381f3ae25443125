import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { TwoFactorCard } from './two-factor-card.tsx'

const profile = 'GET /api/auth/profile'
const renew = 'POST /api/auth/2fa/backup-codes'
const disable = 'POST /api/auth/2fa/disable'
const withList = { ...someUser, two_factor_enabled: true, printed_codes_left: 7 }

/** Opens a dialog by its button, for a user with a printed list, and confirms the password in it. */
async function openDialog(button: string) {
  let left = 7
  const calls = fakeServer({
    [profile]: () => ({ body: { user: { ...withList, printed_codes_left: left }, backup_codes_left: left } }),
    'POST /api/auth/confirm-password': () => ({ body: { message: 'ok', access_token: 'a', refresh_token: 'r' } }),
    [renew]: () => {
      left = 20
      return { body: { backup_codes: ['NEW1NEW1', 'NEW2NEW2'] } }
    },
    [disable]: () => ({ body: { user: someUser } }),
  })
  localStorage.setItem('access_token', 'a')
  const { user, client } = renderAt('/settings/security', <TwoFactorCard />, withList)
  await screen.findByText('7 printed codes left')
  await user.click(screen.getByRole('button', { name: button }))
  const dialog = within(await screen.findByRole('dialog'))
  fireEvent.change(await dialog.findByLabelText('Your password'), { target: { value: 'Correct1!' } })
  await user.click(dialog.getByRole('button', { name: 'Continue' }))
  const field = await dialog.findByLabelText('A code from your printed list')
  const printedCodesLeft = () => client.getQueryData<typeof withList>(['session'])?.printed_codes_left
  return { user, dialog, field, calls, printedCodesLeft }
}

async function renewList() {
  const opened = await openDialog('New printed list')
  fireEvent.change(opened.field, { target: { value: 'abcd1234' } })
  await opened.user.click(opened.dialog.getByRole('button', { name: 'Make new codes' }))
  const list = await opened.dialog.findByRole('list', { name: 'Printed codes' })
  return { ...opened, list }
}

it('a new list is printed where it is shown, and speaks of no app', async () => {
  const print = vi.fn<() => void>()
  vi.stubGlobal('print', print)
  const { user, dialog, list, calls } = await renewList()
  expect([...list.children].map(({ textContent }) => textContent)).toEqual(['NEW1NEW1', 'NEW2NEW2'])
  expect(calls.find(({ key }) => key === renew)?.headers.get('X-TOTP-Token')).toBe('abcd1234')
  await user.click(dialog.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
  expect(dialog.queryByText(/code from your app/)).toBeNull()
})

it('a code typed in Persian digits is sent with western ones: a header has no others', async () => {
  const { user, dialog, field, calls } = await openDialog('New printed list')
  fireEvent.change(field, { target: { value: ' abcd۱۲۳۴' } })
  await user.click(dialog.getByRole('button', { name: 'Make new codes' }))
  await dialog.findByRole('list', { name: 'Printed codes' })
  expect(calls.find(({ key }) => key === renew)?.headers.get('X-TOTP-Token')).toBe('abcd1234')
})

it('a new list stays until it is done with: no stray click and no key loses it', async () => {
  const { user, dialog, list } = await renewList()
  await user.keyboard('{Escape}')
  const overlay = document.querySelector('.mantine-Modal-overlay')
  if (overlay) await user.click(overlay)
  expect(list).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Close' })).toBeNull()
})

it('how many codes are left is reloaded when the new list is closed', async () => {
  const { user, dialog, printedCodesLeft } = await renewList()
  expect(printedCodesLeft()).toBe(7)
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(printedCodesLeft()).toBe(20))
})

it('nothing is reloaded when the dialog is closed without a change', async () => {
  const { user, dialog, calls } = await openDialog('New printed list')
  const count = () => calls.filter(({ key }) => key === profile).length
  const before = count()
  await user.click(dialog.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(count()).toBe(before)
})

it('disabling says that the list stops working, and asks for one of its codes', async () => {
  const { user, dialog, field, calls } = await openDialog('Disable 2FA')
  expect(dialog.getByText(/protected only by its password/)).toHaveTextContent(/your printed list stops working\.$/)
  await user.click(dialog.getByRole('button', { name: 'Disable 2FA' }))
  expect(await dialog.findByText('Please enter a code from your printed list')).toBeVisible()
  fireEvent.change(field, { target: { value: 'abcd1234' } })
  await user.click(dialog.getByRole('button', { name: 'Disable 2FA' }))
  expect(await screen.findByText('2FA disabled')).toBeVisible()
  expect(calls.find(({ key }) => key === disable)?.headers.get('X-TOTP-Token')).toBe('abcd1234')
})
