import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { Batch } from '#contract/batches.ts'
import { fakeServer, someUser } from '../../testing/fake-server.ts'
import { renderAt } from '../../testing/render.tsx'
import { useBatchNotices } from './batch-notices.ts'

const running: Batch = {
  id: 'a'.repeat(24),
  state: 'running',
  transcribe: { language: 'ps', channel_languages: null },
  target_languages: [],
  redo: false,
  total: 3,
  counts: { waiting: 0, running: 3, done: 0, failed: 0, skipped: 0, cancelled: 0 },
  created_at: '2026-01-02T03:04:05.000Z',
  finished_at: null,
}
const counts = { waiting: 0, running: 0, done: 2, failed: 1, skipped: 0, cancelled: 0 }
const ended: Batch = { ...running, state: 'done', counts, finished_at: '2026-01-02T04:04:05.000Z' }

function Notices() {
  useBatchNotices()
  return null
}

function follow(first: Batch) {
  let current = first
  fakeServer({ 'GET /api/batches': () => ({ body: { batches: [current] } }) })
  const { client } = renderAt('/upload', <Notices />, someUser)
  const become = async (next: Batch) => {
    await waitFor(() => expect(client.getQueryData(['batches'])).toBeDefined())
    current = next
    await client.invalidateQueries({ queryKey: ['batches'] })
  }
  return { client, become }
}

it('the end of a batch is told once, with what became of its recordings', async () => {
  const { become } = follow(running)
  await become(ended)
  const text = 'The batch of 3 recordings is finished: 2 done, 1 failed.'
  expect(await screen.findByText(text)).toBeVisible()
  await become({ ...ended })
  expect(screen.getAllByText(text)).toHaveLength(1)
})

it('a batch that had ended before, or was cancelled, is not told', async () => {
  const { become } = follow(ended)
  await become({ ...running, id: 'b'.repeat(24) })
  await become({ ...ended, id: 'b'.repeat(24), state: 'cancelled' })
  expect(screen.queryByText(/is finished/)).toBeNull()
})

it('a batch that another tab started is found by its first job', async () => {
  const { client, become } = follow(ended)
  await become(ended)
  const other = { ...running, id: 'c'.repeat(24) }
  fakeServer({ 'GET /api/batches': () => ({ body: { batches: [other, ended] } }) })
  client.setQueryData(['jobs'], { job: { id: 'job', batch_id: other.id } })
  await waitFor(() => expect(client.getQueryData(['batches'])).toEqual([other, ended]))
})

it('where the tab is hidden, the browser tells, after a moment in which a visible tab may', async () => {
  const shown: (string | undefined)[] = []
  class FakeNotification extends EventTarget {
    static permission = 'granted'
    constructor(_title: string, options?: NotificationOptions) {
      super()
      shown.push(options?.body)
    }
  }
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('Notification', FakeNotification)
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const { become } = follow({ ...running, id: 'd'.repeat(24) })
  await become({ ...ended, id: 'd'.repeat(24) })
  await waitFor(() => expect(shown).toEqual(['The batch of 3 recordings is finished: 2 done, 1 failed.']))
  expect(screen.queryByText(/is finished/)).toBeNull()
})
