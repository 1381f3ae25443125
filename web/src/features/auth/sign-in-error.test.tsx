import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderAt } from '../../testing/render.tsx'
import { SignInError } from './sign-in-error.tsx'

function renderError(fields: Partial<Parameters<typeof SignInError>[0]>) {
  const onDismiss = vi.fn<() => void>()
  const props = { message: 'Invalid email or password', failedAttempts: 0, lockSecondsLeft: 0, onDismiss, ...fields }
  return { onDismiss, ...renderAt('/login', <SignInError {...props} />) }
}

it('counts the failed attempts from the first one on', () => {
  renderError({ failedAttempts: 1 })
  expect(screen.getByRole('alert')).toHaveTextContent('Failed attempts: 1')
})

it('counts no attempts where none failed', () => {
  renderError({ failedAttempts: 0 })
  expect(screen.getByRole('alert')).toHaveTextContent('Invalid email or password')
  expect(screen.queryByText(/Failed attempts/)).not.toBeInTheDocument()
})

it('keeps the count when the message is dismissed', async () => {
  const { onDismiss, user } = renderError({ failedAttempts: 2 })
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(onDismiss).toHaveBeenCalledOnce()
  renderError({ message: '', failedAttempts: 3 })
  expect(screen.getByText('Failed attempts: 3')).toBeVisible()
})

it('says how long an account is locked in place of the count, and cannot be dismissed then', () => {
  renderError({ message: 'The account is locked.', failedAttempts: 5, lockSecondsLeft: 61 })
  expect(screen.getByRole('alert')).toHaveTextContent('1:01 left')
  expect(screen.queryByText(/Failed attempts/)).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Dismiss' })).not.toBeInTheDocument()
})
