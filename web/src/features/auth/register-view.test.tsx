import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { fakeServer, serverConfig } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { RegisterView } from './register-view.tsx'

function renderWith(config: Partial<typeof serverConfig>) {
  fakeServer({ 'GET /api/config': () => ({ body: { ...serverConfig, ...config } }) })
  const onLogin = vi.fn()
  return { onLogin, ...renderAt('/signup', <RegisterView onRegistered={() => {}} onLogin={onLogin} />) }
}

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
