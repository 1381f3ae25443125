import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, serverConfig } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { ForgotPassword } from './forgot-password.tsx'

const ok = () => ({ body: { message: 'ok' } })
const send = 'POST /api/auth/forgot-password'
const check = 'POST /api/auth/verify-reset-code'
const reset = 'POST /api/auth/reset-password'

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })

function renderForgot() {
  const config = () => ({ body: serverConfig })
  const calls = fakeServer({ [send]: ok, [check]: ok, [reset]: ok, 'GET /api/config': config })
  const onDone = vi.fn<() => void>()
  const { user } = renderAt('/login', <ForgotPassword onDone={onDone} />)
  const bodiesOf = (key: string) => calls.filter((call) => call.key === key).map(({ body }) => body)
  const press = (name: string) => user.click(screen.getByRole('button', { name }))
  async function toCode() {
    type('Email', 'nadia@example.org')
    await press('Send Reset Code')
    return await screen.findByLabelText('6-digit code')
  }
  async function toReset() {
    await toCode()
    type('6-digit code', '123456')
    await press('Verify Code')
    return await screen.findByLabelText('New password')
  }
  return { user, onDone, bodiesOf, press, toCode, toReset }
}

const expectStep = (number: number) =>
  expect(screen.getByRole('img', { name: `Step ${number} of 3` })).toBeInTheDocument()

describe('a forgotten password', () => {
  it('is reset in three steps within one screen, which leads to sign-in', async () => {
    const { toReset, press, bodiesOf, onDone } = renderForgot()
    expectStep(1)
    await toReset()
    expectStep(3)
    type('New password', 'Correct1!')
    type('Confirm new password', 'Correct1!')
    expect(onDone).not.toHaveBeenCalled()
    await press('Reset Password')
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce())
    const email = 'nadia@example.org'
    expect(bodiesOf(send)).toEqual([{ email }])
    expect(bodiesOf(check)).toEqual([{ email, code: '123456' }])
    expect(bodiesOf(reset)).toEqual([{ email, code: '123456', new_password: 'Correct1!' }])
  })

  it('needs an address', async () => {
    const { press, bodiesOf } = renderForgot()
    await press('Send Reset Code')
    expect(await screen.findByRole('alert')).toHaveTextContent('Please enter your email address')
    expect(bodiesOf(send)).toEqual([])
  })

  it('says on the second step that the code expires in 10 minutes, and sends it again', async () => {
    const { toCode, press, bodiesOf } = renderForgot()
    await toCode()
    expectStep(2)
    expect(screen.getByText(/expires in 10 minutes/)).toBeVisible()
    await press('Resend code')
    await waitFor(() =>
      expect(bodiesOf(send)).toEqual([{ email: 'nadia@example.org' }, { email: 'nadia@example.org' }]),
    )
  })

  it('takes a code of exactly six digits', async () => {
    const { user, toCode, press, bodiesOf } = renderForgot()
    const field = await toCode()
    await user.type(field, '12a45')
    expect(field).toHaveValue('1245')
    await press('Verify Code')
    expect((await screen.findByText('Please enter a valid 6-digit code')).closest('[role=alert]')).toBeVisible()
    expect(bodiesOf(check)).toEqual([])
    await user.type(field, '6789')
    expect(field).toHaveValue('124567')
  })

  it('leads back from the code to the address, and from the new password to the code', async () => {
    const { toReset, press } = renderForgot()
    await toReset()
    await press('Back to code')
    expect(screen.getByLabelText('6-digit code')).toHaveValue('123456')
    await press('Back to email')
    expect(screen.getByLabelText('Email')).toHaveValue('nadia@example.org')
  })

  it('leads back to sign-in from the last step', async () => {
    const { toReset, press, onDone } = renderForgot()
    await toReset()
    await press('Back to Login')
    expect(onDone).toHaveBeenCalledOnce()
  })

  it('shows each fault of the new password in a toast of its own', async () => {
    const { user, toReset, press, bodiesOf } = renderForgot()
    await user.type(await toReset(), '#')
    await press('Reset Password')
    const faults = [
      'Password must be at least 8 characters long',
      'Password must contain at least one lowercase letter',
      'Password must contain at least one uppercase letter',
      'Password must contain at least one digit',
      'Password must contain at least one special character',
      'Passwords do not match',
    ]
    await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(faults.length))
    for (const fault of faults) expect(screen.getByText(fault)).toBeVisible()
    expect(bodiesOf(reset)).toEqual([])
  })
})
