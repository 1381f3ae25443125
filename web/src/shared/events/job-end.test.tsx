import { act, render, screen, waitFor } from '@testing-library/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Job, StreamEvent } from '#contract/entities/job.ts'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { fakeEventStreams } from '../../testing/fake-event-stream.ts'
import { failure, fakeServer } from '../../testing/fake-server.ts'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../testing/transcripts.ts'
import { useRecording } from '../recordings/recordings.ts'
import { useFollowJobs, useJob } from './jobs.ts'

const running = makeRunningJob(null)
const ended: Job = { ...running, state: 'done', finished_at: '2026-01-02T03:05:00.000Z' }
const bare = makeRecording(null)
const transcribed = makeRecording(makeTranscript([makeSegment('سلام')]))

type Response = { status?: number; body: unknown }

/** Requests for the recording that are waiting for `answer`. */
let pending: ((response: Response) => void)[] = []
let client: QueryClient
let events: ReturnType<typeof fakeEventStreams>
beforeEach(() => {
  pending = []
  events = fakeEventStreams()
})

async function answer(response: Response) {
  await waitFor(() => expect(pending).not.toHaveLength(0))
  await act(async () => pending.shift()?.(response))
}

const respond = (details: RecordingDetails) => answer({ body: details })

function Watcher() {
  useFollowJobs('somebody')
  const { data } = useRecording(bare.id)
  const job = useJob(bare.id, 'transcribe', data?.job)
  return <p>{`${data?.transcription ? 'transcript' : 'nothing'}, ${job?.state ?? 'no job'}`}</p>
}

function show() {
  fakeServer({
    [`GET /api/recordings/${bare.id}`]: () => new Promise((resolve) => pending.push(resolve)),
    'GET /api/events': events.respond,
  })
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <Watcher />
    </QueryClientProvider>,
  )
}

/** Sends an event, and waits until the page has applied it. */
async function notify(event: StreamEvent) {
  const applied = vi.spyOn(client, 'setQueryData')
  await waitFor(() => expect(events.streams).toHaveLength(1))
  await act(async () => events.streams[0]?.send(event))
  await waitFor(() => expect(applied).toHaveBeenCalled())
  applied.mockRestore()
}

it('shows a job as running until what it made is loaded', async () => {
  show()
  await respond(bare)
  await notify({ type: 'job', job: running })
  expect(await screen.findByText('nothing, running')).toBeVisible()
  await notify({ type: 'job', job: ended })
  await waitFor(() => expect(pending).toHaveLength(1))
  expect(screen.getByText('nothing, running')).toBeVisible()
  await respond(transcribed)
  expect(await screen.findByText('transcript, done')).toBeVisible()
})

it('shows at once that a job has failed', async () => {
  show()
  await respond(bare)
  await notify({ type: 'job', job: running })
  await notify({ type: 'job', job: { ...ended, state: 'failed' } })
  expect(await screen.findByText('nothing, failed')).toBeVisible()
})

it('shows a job as ended where its recording could not be loaded', async () => {
  show()
  await respond(bare)
  await notify({ type: 'job', job: running })
  await notify({ type: 'job', job: ended })
  await waitFor(() => expect(pending).toHaveLength(1))
  expect(await screen.findByText('nothing, running')).toBeVisible()
  await answer(failure(500))
  expect(await screen.findByText('nothing, done')).toBeVisible()
})

it('shows a job that a snapshot no longer names as running until its recording is loaded', async () => {
  show()
  await respond(bare)
  await notify({ type: 'snapshot', jobs: [running] })
  expect(await screen.findByText('nothing, running')).toBeVisible()
  await notify({ type: 'snapshot', jobs: [] })
  await waitFor(() => expect(pending).toHaveLength(1))
  expect(screen.getByText('nothing, running')).toBeVisible()
  await respond(transcribed)
  expect(await screen.findByText('transcript, no job')).toBeVisible()
})

it('loads a recording again whose first response was written before its job ended', async () => {
  show()
  await waitFor(() => expect(pending).toHaveLength(1))
  await notify({ type: 'snapshot', jobs: [ended] })
  await respond({ ...bare, job: running })
  expect(await screen.findByText('nothing, running')).toBeVisible()
  await respond(transcribed)
  expect(await screen.findByText('transcript, done')).toBeVisible()
})
