import { notifications } from '@mantine/notifications'
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { toastError, toastInfo } from '../shared/toast.tsx'
import { renderAt } from '../testing/render.tsx'

it('toasts appear at the top right', async () => {
  renderAt('/dashboard', <h1>Library</h1>)
  toastInfo('Keywords already exist in this category')
  const toast = await screen.findByText('Keywords already exist in this category')
  expect(toast.closest('[data-position]')).toHaveAttribute('data-position', 'top-right')
})

it.each([
  ['of information', toastInfo],
  ['of failure', toastError],
])('a toast %s lasts 4 seconds', (_, show) => {
  const shown = vi.spyOn(notifications, 'show')
  show('Invalid file format')
  expect(shown).toHaveBeenCalledWith(expect.objectContaining({ message: 'Invalid file format', autoClose: 4000 }))
})
