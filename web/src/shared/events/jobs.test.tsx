import { render, screen } from '@testing-library/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Job } from '#contract/entities/job.ts'
import { failure, fakeServer } from '../../testing/fake-server.ts'
import { putJob, useFollowJobs, useJob } from './jobs.ts'

const queued: Job = {
  id: 'a'.repeat(24),
  kind: 'transcribe',
  state: 'queued',
  recording_id: 'b'.repeat(24),
  attempt: 1,
  queue_position: 1,
  progress: null,
  error: null,
  target_language: null,
  created_at: '2026-01-02T03:04:05.000Z',
  started_at: null,
  finished_at: null,
}

function Watcher() {
  useFollowJobs('somebody')
  return <p>{useJob('b'.repeat(24), 'transcribe')?.state ?? 'nothing'}</p>
}

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => vi.useRealTimers())

it('polls active jobs while there is no event stream, and stops when they ended', async () => {
  const states = ['running', 'done']
  const calls = fakeServer({
    'GET /api/events': () => failure(503),
    [`GET /api/jobs/${queued.id}`]: () => ({ body: { ...queued, state: states.shift() ?? 'failed', result: null } }),
  })
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <Watcher />
    </QueryClientProvider>,
  )
  putJob(client, queued)
  expect(await screen.findByText('queued')).toBeVisible()
  await vi.advanceTimersByTimeAsync(5100)
  expect(await screen.findByText('running')).toBeVisible()
  await vi.advanceTimersByTimeAsync(5000)
  expect(await screen.findByText('done')).toBeVisible()
  await vi.advanceTimersByTimeAsync(15_000)
  expect(calls.filter(({ key }) => key.startsWith('GET /api/jobs/'))).toHaveLength(2)
})
