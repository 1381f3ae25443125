import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { fakeServer, serverConfig, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { AuthPage } from './auth-page.tsx'

function renderAuth(path: string) {
  fakeServer({
    'GET /api/config': () => ({ body: serverConfig }),
    'POST /api/auth/signup': () => ({ status: 201, body: { message: 'ok', user: someUser } }),
  })
  return renderAt(path, <AuthPage />)
}

const heading = (name: string) => screen.findByRole('heading', { name })

it('goes from sign-in to registration and back', async () => {
  const { user } = renderAuth('/login')
  await user.click(await screen.findByRole('button', { name: 'Create an account' }))
  expect(await heading('Create Account')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Sign in' }))
  expect(await heading('Welcome Back')).toBeVisible()
})

it('goes from sign-in to a forgotten password and back', async () => {
  const { user } = renderAuth('/login')
  await user.click(await screen.findByRole('button', { name: 'Forgot password?' }))
  expect(await heading('Forgot Password')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Back to Login' }))
  expect(await heading('Welcome Back')).toBeVisible()
})

it('shows after a registration where the link was sent, and leads to sign-in', async () => {
  const { user } = renderAuth('/signup')
  await screen.findByRole('button', { name: 'Create Account' })
  const values: [RegExp, string][] = [
    [/^Email/, 'nadia@example.org'],
    [/^Username/, 'nadia'],
    [/^Password/, 'Quiet.Hill42'],
    [/^Confirm password/, 'Quiet.Hill42'],
  ]
  for (const [label, value] of values) {
    fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } })
  }
  await user.click(screen.getByRole('checkbox'))
  await user.click(screen.getByRole('button', { name: 'Create Account' }))
  expect(await heading('Check Your Email')).toBeVisible()
  expect(await screen.findByText(/^The verification link was sent to/)).toHaveTextContent('nadia@example.org')
  await user.click(screen.getByRole('button', { name: 'Back to Login' }))
  expect(await heading('Welcome Back')).toBeVisible()
})
