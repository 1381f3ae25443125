import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { TrashedRecording } from '#contract/library.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { TrashPage } from './trash-page.tsx'

const megabyte = 1024 * 1024
const newest = '2026-11-20T10:00:00.000Z'

function makeTrashed(name: string, number: number): TrashedRecording {
  return {
    id: String(number).repeat(24),
    name,
    duration: 63,
    size: 2 * megabyte,
    created_at: '2026-11-01T10:00:00.000Z',
    removed_at: newest,
    restorable_until: '2026-12-20T10:00:00.000Z',
  }
}

const both = [makeTrashed('call.wav', 1), makeTrashed('پشاور.mp3', 2)]

function renderTrash(recordings = both, answers: Parameters<typeof fakeServer>[0] = {}) {
  let shown = recordings
  const listed = () => ({
    body: {
      recordings: shown,
      total: shown.length,
      total_size: 4 * megabyte,
      days: 30,
      page: 1,
      per_page: 50,
      pages: 1,
    },
  })
  const calls = fakeServer({
    'GET /api/library/trash': listed,
    'GET /api/library/storage': () => ({ body: { used: 6 * megabyte, trash: 4 * megabyte, quota: 10 * megabyte } }),
    'POST /api/library/restore': () => {
      shown = []
      return { body: { restored: 1 } }
    },
    'POST /api/library/trash/empty': () => {
      shown = []
      return { body: { deleted: 2 } }
    },
    ...answers,
  })
  const bodyOf = (path: string) => calls.findLast(({ key }) => key === `POST ${path}`)?.body
  return { bodyOf, ...renderAt('/trash', <TrashPage />, someUser) }
}

describe('the trash', () => {
  it('shows what was done with a recording', async () => {
    const [deleted] = both
    const entry = {
      id: 'a'.repeat(24),
      at: newest,
      action: 'recording.trash',
      who: { id: someUser.id, name: 'Nadia', is_you: true },
      details: '',
    }
    const { user } = renderTrash(both, {
      [`GET /api/recordings/${deleted?.id}/activity`]: () => ({
        body: { entries: [entry], total: 1, page: 1, per_page: 50, pages: 1 },
      }),
    })
    await user.click(await screen.findByRole('button', { name: 'Activity of call.wav' }))
    const dialog = await screen.findByRole('dialog', { name: 'Activity' })
    expect(await within(dialog).findByText('Recording moved to the trash')).toBeVisible()
  })

  it('says what is in it and for how long, and what it takes of the storage', async () => {
    renderTrash()
    expect(await screen.findByText('2 recordings, 4.0 MB')).toBeVisible()
    expect(screen.getByText(/can be restored for 30 days/)).toBeVisible()
    expect(screen.getAllByText(/^restorable until 20 Dec 2026/)).toHaveLength(2)
    expect(await screen.findByText('6.0 MB of your 10.0 MB in use, 4.0 MB of it in the trash.')).toBeVisible()
  })

  it('restores one recording', async () => {
    const { user, bodyOf } = renderTrash()
    await user.click(await screen.findByRole('button', { name: 'Restore call.wav' }))
    await waitFor(() => expect(bodyOf('/api/library/restore')).toEqual({ ids: [both[0]?.id] }))
    expect(await screen.findByText('Recording restored')).toBeVisible()
    expect(await screen.findByText('The trash is empty')).toBeVisible()
  })

  it('restores what is selected', async () => {
    const { user, bodyOf } = renderTrash()
    await user.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
    expect(screen.getByText('2 recordings selected')).toBeVisible()
    await user.click(screen.getByRole('checkbox', { name: 'Select call.wav' }))
    await user.click(screen.getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(bodyOf('/api/library/restore')).toEqual({ ids: [both[1]?.id] }))
  })

  it('deletes one recording for good after a question', async () => {
    const { user, bodyOf } = renderTrash()
    await user.click(await screen.findByRole('button', { name: 'Delete call.wav for good' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete for good' })
    expect(within(dialog).getByText(/This action cannot be undone!/)).toHaveTextContent('call.wav')
    expect(bodyOf('/api/library/trash/empty')).toBeUndefined()
    await user.click(within(dialog).getByRole('button', { name: 'Delete for good' }))
    await waitFor(() => expect(bodyOf('/api/library/trash/empty')).toEqual({ ids: [both[0]?.id] }))
  })

  it('is emptied of what was shown, not of what is deleted in the meantime', async () => {
    const { user, bodyOf } = renderTrash()
    await user.click(await screen.findByRole('button', { name: 'Empty the trash' }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete for good' }))
    await waitFor(() => expect(bodyOf('/api/library/trash/empty')).toEqual({ removed_by: newest }))
    expect(await screen.findByText('2 recordings deleted for good')).toBeVisible()
  })

  it('says what to do where it is empty or cannot be loaded', async () => {
    const { unmount } = renderTrash([])
    expect(await screen.findByRole('link', { name: 'Go to the library' })).toHaveAttribute('href', '/dashboard')
    unmount()
    renderTrash([], { 'GET /api/library/trash': () => ({ status: 500, body: { error: 'No', code: 'internal' } }) })
    expect(await screen.findByRole('button', { name: 'Try again' })).toBeVisible()
  })
})
