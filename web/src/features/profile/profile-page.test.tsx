import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { User } from '#contract/entities/user.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { ProfilePage } from './profile-page.tsx'

const update = 'PUT /api/auth/profile'
const resend = 'POST /api/auth/resend-verification'

afterEach(() => vi.useRealTimers())

function renderProfile(state: Partial<User> = {}) {
  const calls = fakeServer({
    [update]: ({ body }) => ({ body: { user: { ...someUser, ...(body as Partial<User>) } } }), // what the form sends
    [resend]: () => ({ body: { message: 'ok' } }),
  })
  const { user } = renderAt('/settings/profile', <ProfilePage />, { ...someUser, ...state })
  return { user, bodiesOf: (key: string) => calls.filter((call) => call.key === key).map(({ body }) => body) }
}

const save = () => screen.getByRole('button', { name: 'Save Changes' })
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('the profile', () => {
  it('has names and username to change, and an address to read', () => {
    renderProfile()
    expect(screen.getByLabelText('First name')).toHaveValue('Nadia')
    expect(screen.getByLabelText('Last name')).toHaveValue('Ahmadi')
    expect(screen.getByLabelText(/^Username/)).toHaveValue('nadia')
    expect(screen.getByLabelText(/^Username/)).toBeRequired()
    expect(screen.getByLabelText('Email')).toHaveValue('nadia@example.org')
    expect(screen.getByLabelText('Email')).toHaveAttribute('readonly')
  })

  it('is saved once something changed', async () => {
    const { user, bodiesOf } = renderProfile()
    expect(save()).toBeDisabled()
    type('First name', 'Nadiya')
    expect(save()).toBeEnabled()
    type('First name', 'Nadia')
    expect(save()).toBeDisabled()
    type('Last name', 'Khan')
    await user.click(save())
    expect(await screen.findByText('Profile updated successfully')).toBeVisible()
    expect(bodiesOf(update)).toEqual([{ first_name: 'Nadia', last_name: 'Khan', username: 'nadia' }])
    await waitFor(() => expect(save()).toBeDisabled())
  })

  it('needs a username', () => {
    renderProfile()
    type(/^Username/, ' ')
    expect(screen.getByText('Username is required')).toBeVisible()
    expect(save()).toBeDisabled()
  })
})

describe('the state of the account', () => {
  it('is active and verified', () => {
    renderProfile()
    expect(screen.getByText('Account status').nextElementSibling).toHaveTextContent('Active')
    expect(screen.getByText('Email verification').nextElementSibling).toHaveTextContent('Verified')
    expect(screen.queryByRole('button', { name: 'Resend' })).toBeNull()
  })

  it('where it is not verified, the mail is sent again once a minute, to the signed-in user', async () => {
    const { bodiesOf } = renderProfile({ is_verified: false })
    expect(screen.getByText('Email verification').nextElementSibling).toHaveTextContent('Not verified')
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] })
    fireEvent.click(screen.getByRole('button', { name: 'Resend' }))
    expect(await screen.findByRole('button', { name: 'Resend in 60s' })).toBeDisabled()
    act(() => void vi.advanceTimersByTime(60_000))
    expect(screen.getByRole('button', { name: 'Resend' })).toBeEnabled()
    expect(bodiesOf(resend)).toEqual([{}])
  })
})
