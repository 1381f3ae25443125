import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Job } from '#contract/entities/job.ts'
import { formatTimeLeft } from '../../../shared/format.ts'
import { someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { makeRunningJob } from '../../../testing/transcripts.ts'
import { JobProgress } from './job-progress.tsx'

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }))
afterEach(() => void vi.useRealTimers())

const progress = {
  current_segment: 45,
  total_segments: 100,
  detected_language: null,
  language_probability: null,
  latest_segment: null,
  partial_text: '',
  partial_segments: [],
}

function show(job: Job) {
  renderAt('/transcribe', <JobProgress job={job} initialText="Initializing transcription..." />, someUser)
}

it('counts down from the estimate of the engine, whatever the clock of this computer says', async () => {
  show(makeRunningJob({ ...progress, seconds_left: 150 }, { started_at: '2020-01-01T00:00:00.000Z' }))
  expect(screen.getByText('about 2 min 30 s left')).toBeVisible()
  await act(() => vi.advanceTimersByTimeAsync(20_000))
  expect(screen.getByText('about 2 min 10 s left')).toBeVisible()
})

it('says that it begins until progress arrives, then how far it is', () => {
  show(makeRunningJob(null))
  expect(screen.getByRole('status')).toHaveTextContent('Initializing transcription...')
  cleanup()
  show(makeRunningJob({ ...progress, detected_language: 'ps', language_probability: 0.97 }))
  expect(screen.getByRole('status')).toHaveTextContent('Working')
  expect(screen.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '45')
  expect(screen.getByText('45% · part 45 of 100 · Pashto 97%')).toBeVisible()
})

it('counts the parts that are done, and says when the voices are told apart before them', () => {
  show(makeRunningJob(progress))
  expect(screen.getByText('45% · part 45 of 100')).toBeVisible()
  show(makeRunningJob({ ...progress, stage: 'speakers' }))
  expect(screen.getByText('45% · separating speakers')).toBeVisible()
})

it.each([
  ['that reports no estimate', makeRunningJob(progress)],
  ['that waits for another attempt', makeRunningJob({ ...progress, seconds_left: 150 }, { state: 'queued' })],
])('says nothing of the time left for a job %s', (_, job) => {
  show(job)
  expect(screen.getByRole('progressbar')).toBeVisible()
  expect(screen.queryByText(/left$/)).toBeNull()
})

it.each([
  [0, '5 s'],
  [42, '40 s'],
  [57, '55 s'],
  [58, '1 min'],
  [89, '1 min 30 s'],
  [178, '3 min'],
  [299, '5 min'],
  [600, '10 min'],
  [3900, '1 h 5 min'],
])('writes %d seconds as %s', (seconds, text) => {
  expect(formatTimeLeft(seconds)).toBe(text)
})

it('writes from a minute on what differs by less than a tenth', () => {
  for (let seconds = 60; seconds < 3500; seconds += 1) {
    const [, minutes = '0', rest = '0'] = /^(\d+) min(?: (\d+) s)?$/.exec(formatTimeLeft(seconds)) ?? []
    expect(Math.abs(Number(minutes) * 60 + Number(rest) - seconds) / seconds).toBeLessThanOrEqual(0.1)
  }
})
