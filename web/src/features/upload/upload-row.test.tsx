import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { UploadItem } from '../../shared/uploads/uploads.ts'
import { renderAt } from '../../testing/render.tsx'
import { UploadRow } from './upload-row.tsx'

function show(overrides: Partial<UploadItem> = {}) {
  const item: UploadItem = {
    id: 'upload-1',
    ownerId: '0123456789abcdef01234567',
    file: new File([], 'call.wav'),
    name: 'call.wav',
    size: 18_350_080,
    status: 'uploading',
    progress: 0.4,
    stop: new AbortController(),
    ...overrides,
  }
  const onRemove = vi.fn<() => void>()
  const rest = { onRetry: vi.fn(), onKeep: vi.fn(), onDiscard: vi.fn() }
  const { user } = renderAt('/upload', <UploadRow item={item} onRemove={onRemove} {...rest} />)
  return { user, onRemove }
}

it('shows name, size and progress of a file', () => {
  show()
  expect(screen.getByText('call.wav')).toBeVisible()
  expect(screen.getByText('17.5 MB')).toBeVisible()
  expect(screen.getByRole('progressbar', { name: 'Upload of call.wav' })).toHaveAttribute('aria-valuenow', '40')
})

it('shows the duration in seconds once it is known', () => {
  show({ status: 'completed', progress: 1, duration: 62.34, backendId: '0123456789abcdef01234567' })
  expect(screen.getByText('17.5 MB · 62.3 s')).toBeVisible()
})

it.each([
  ['call.wav', 'Audio'],
  ['call.ogg', 'Audio'],
  ['call.mp4', 'Video'],
  ['call.WEBM', 'Video'],
])('%s has the icon of its type: %s', (name, label) => {
  show({ name })
  expect(screen.getByLabelText(label)).toBeInTheDocument()
})

it.each([
  ['waiting', 'Waiting'],
  ['uploading', 'Uploading'],
  ['completed', 'Completed'],
  ['error', 'Error'],
] as const)('a file that is %s has the icon of its status: %s', (status, label) => {
  show({ status })
  expect(screen.getByLabelText(label)).toBeInTheDocument()
})

it('has a remove button', async () => {
  const { user, onRemove } = show()
  await user.click(screen.getByRole('button', { name: 'Remove call.wav' }))
  expect(onRemove).toHaveBeenCalledOnce()
})
