import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, serverConfig, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { RegisterView } from './register-view.tsx'

const signUp = 'POST /api/auth/signup'

function renderWith(config: Partial<typeof serverConfig> = {}) {
  const calls = fakeServer({
    'GET /api/config': () => ({ body: { ...serverConfig, ...config } }),
    [signUp]: () => ({ status: 201, body: { message: 'ok', user: someUser } }),
  })
  const onLogin = vi.fn()
  const onRegistered = vi.fn<(email: string) => void>()
  const view = renderAt('/signup', <RegisterView onRegistered={onRegistered} onLogin={onLogin} />)
  return { calls, onLogin, onRegistered, ...view }
}

const labels = {
  first: 'First name',
  last: 'Last name',
  email: /^Email/,
  username: /^Username/,
  password: /^Password/,
  confirmation: /^Confirm password/,
}
const field = (name: keyof typeof labels) => screen.getByLabelText(labels[name], { selector: 'input' })
const type = (name: keyof typeof labels, value: string) => fireEvent.change(field(name), { target: { value } })

describe('the registration form', () => {
  it('has its fields, those that are required marked, and a way back to sign-in', async () => {
    const { user, onLogin } = renderWith()
    await screen.findByLabelText('First name')
    expect(screen.getByRole('heading', { name: 'Create Account' })).toBeVisible()
    for (const name of ['first', 'last'] as const) expect(field(name)).not.toBeRequired()
    for (const name of ['email', 'username', 'password', 'confirmation'] as const) expect(field(name)).toBeRequired()
    await user.click(screen.getByRole('button', { name: 'Sign in' }))
    expect(onLogin).toHaveBeenCalledOnce()
  })

  it('measures the strength of the password as it is typed, with a checklist', async () => {
    renderWith()
    const meter = await screen.findByRole('meter', { name: 'Password strength' })
    const checks = () => screen.getAllByRole('listitem').map((item) => [item.textContent, 'met' in item.dataset])
    expect(checks().filter(([, isMet]) => isMet)).toEqual([])
    type('password', 'quiethill42')
    expect(meter).toHaveAttribute('aria-valuenow', '3')
    expect(meter).toHaveAttribute('aria-valuetext', 'Fair')
    expect(meter).toHaveAttribute('aria-valuemax', '5')
    expect(checks()).toEqual([
      ['At least 8 characters (met)', true],
      ['An uppercase letter', false],
      ['A lowercase letter (met)', true],
      ['A number (met)', true],
      ['A special character such as ! @ # $ %', false],
    ])
  })

  it('asks to agree to terms and privacy, which it links', async () => {
    renderWith()
    expect(await screen.findByRole('checkbox', { name: /^I agree/ })).not.toBeChecked()
    const label = within(screen.getByText(/^I agree to the/))
    expect(label.getByRole('link', { name: 'Terms of Service' })).toHaveAttribute('href', '/terms')
    expect(label.getByRole('link', { name: 'Privacy Policy' })).toHaveAttribute('href', '/privacy')
  })

  it('says what is missing and sends nothing', async () => {
    const { user, calls } = renderWith()
    await user.click(await screen.findByRole('button', { name: 'Create Account' }))
    for (const name of ['Email', 'Username', 'Password']) expect(screen.getByText(`${name} is required`)).toBeVisible()
    expect(screen.getByText('You must agree to the terms and conditions')).toBeVisible()
    type('password', 'quiethill42')
    type('confirmation', 'quiethill43')
    await user.click(screen.getByRole('button', { name: 'Create Account' }))
    expect(screen.getByText('Please choose a stronger password')).toBeVisible()
    expect(screen.getByText('Passwords do not match')).toBeVisible()
    expect(calls.filter(({ key }) => key === signUp)).toEqual([])
  })

  it('sends names, address, username and password, and passes the address on', async () => {
    const { user, calls, onRegistered } = renderWith()
    await screen.findByRole('button', { name: 'Create Account' })
    type('first', 'Nadia')
    type('last', 'Ahmadi')
    type('email', 'nadia@example.org')
    type('username', 'nadia')
    for (const name of ['password', 'confirmation'] as const) type(name, 'Quiet.Hill42')
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Create Account' }))
    await waitFor(() => expect(onRegistered).toHaveBeenCalledWith('nadia@example.org'))
    const names = { first_name: 'Nadia', last_name: 'Ahmadi', username: 'nadia' }
    expect(calls.find(({ key }) => key === signUp)?.body).toEqual({
      ...names,
      email: 'nadia@example.org',
      password: 'Quiet.Hill42',
    })
  })
})

describe('registration', () => {
  it.each([
    ['invitation', 'By invitation', /Open the link of your invitation mail/],
    ['closed', 'Registration is closed', /ask your administrator for an account/],
  ])('has no form where the mode is %s, and says how people get in', async (registration, title, help) => {
    const { user, onLogin } = renderWith({ registration })
    expect(await screen.findByRole('heading', { name: title })).toBeVisible()
    expect(screen.getByText(help)).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Go to Login' }))
    expect(onLogin).toHaveBeenCalled()
  })

  it('names the domains that may register', async () => {
    renderWith({ registration: 'domains', registration_domains: ['a.example', 'b.example'] })
    expect(await screen.findByLabelText(/^Email/)).toHaveAccessibleDescription(
      'An address of a.example or b.example. Others need an invitation of an administrator.',
    )
  })

  it('shows no form before the mode is known', async () => {
    renderWith({ registration: 'closed' })
    expect(screen.getByRole('status', { name: 'Loading the form' })).toBeVisible()
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(await screen.findByRole('heading', { name: 'Registration is closed' })).toBeVisible()
  })
})
