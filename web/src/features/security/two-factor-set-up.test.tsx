import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { failure, fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { TwoFactorSetUp } from './two-factor-set-up.tsx'

const enable = 'POST /api/auth/2fa/enable'
const confirm = 'POST /api/auth/confirm-password'
const seed = '3132333435363738393031323334353637383930'
const setup = { qr_code: 'data:,', secret: 'ABCD', totp_uri: 'otpauth://x', backup_codes: ['ABCD1234', 'EFGH5678'] }

/** Renders a set-up that was left open until the password confirmation expired. */
function renderLate() {
  let isConfirmed = false
  const calls = fakeServer({
    [enable]: () =>
      isConfirmed
        ? { body: setup }
        : failure(403, 'Please confirm your password first.', { code: 'password_confirmation_required' }),
    [confirm]: () => {
      isConfirmed = true
      return { body: { message: 'ok', access_token: 'a', refresh_token: 'r' } }
    },
  })
  const onCancel = vi.fn<() => void>()
  const view = renderAt(
    '/settings/security',
    <TwoFactorSetUp prepared={setup} onComplete={vi.fn()} onCancel={onCancel} />,
    someUser,
  )
  const press = (name: string) => view.user.click(screen.getByRole('button', { name }))
  const bodies = () => calls.filter(({ key }) => key === enable).map(({ body }) => body)
  return { ...view, press, bodies, onCancel }
}

async function confirmPassword(press: (name: string) => Promise<void>) {
  const field = await screen.findByLabelText('Your password')
  expect(field).toHaveFocus()
  expect(screen.getAllByRole('button', { name: 'Cancel' })).toHaveLength(1)
  fireEvent.change(field, { target: { value: 'Correct1!' } })
  await press('Continue')
}

it('asks for the password in place, and goes on with the seed that was typed', async () => {
  const { press, bodies, onCancel } = renderLate()
  await press('Enter the seed of a token')
  fireEvent.change(screen.getByLabelText('Seed of your token'), { target: { value: seed } })
  await press('Continue')
  await confirmPassword(press)
  expect(await screen.findByLabelText('Verification code')).toBeVisible()
  expect(screen.queryByLabelText('Your password')).toBeNull()
  expect(bodies()).toEqual([{ secret: seed }, { secret: seed }])
  expect(onCancel).not.toHaveBeenCalled()
})

it('asks for the password in place, and goes on with the printed list', async () => {
  const { press, bodies } = renderLate()
  await press('Use a printed list')
  await confirmPassword(press)
  expect(await screen.findByRole('list', { name: 'Printed codes' })).toBeVisible()
  expect(bodies()).toEqual([{ kind: 'printed_codes' }, { kind: 'printed_codes' }])
})

it('goes back to the step, with the reason, where the question is cancelled', async () => {
  const { press, bodies, onCancel } = renderLate()
  await press('Use a printed list')
  await screen.findByLabelText('Your password')
  await press('Cancel')
  expect(await screen.findByText('Please confirm your password first.')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Use a printed list' })).toBeVisible())
  expect(bodies()).toHaveLength(1)
  expect(onCancel).not.toHaveBeenCalled()
})
