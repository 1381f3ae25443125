import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { audio } from '#contract/endpoints/audio.ts'
import type { Job } from '#contract/entities/job.ts'
import { fakeServer } from '../../testing/fake-server.ts'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../testing/transcripts.ts'
import { useRecording } from '../recordings/recordings.ts'
import { putJob } from './jobs.ts'
import { useStartJob } from './start-job.ts'

const ended: Job = { ...makeRunningJob(null), state: 'done', finished_at: '2026-01-02T03:05:00.000Z' }
const bare = makeRecording(null)
const transcribed = makeRecording(makeTranscript([makeSegment('سلام')]))

function Starter() {
  const { data } = useRecording(bare.id)
  const { isPending, mutate } = useStartJob(audio.transcribe)
  return (
    <>
      <p>{data?.transcription ? 'transcript' : 'nothing'}</p>
      <button type="button" disabled={isPending} onClick={() => mutate({ file_id: bare.id })}>
        Start
      </button>
    </>
  )
}

it('loads the recording of a job that had ended before it was asked for', async () => {
  const loading = Promise.withResolvers<object>()
  const responses: (object | Promise<object>)[] = [bare, loading.promise]
  const path = `GET /api/recordings/${bare.id}`
  const calls = fakeServer({
    [path]: async () => ({ body: await responses.shift() }),
    'POST /api/transcribe': () => ({ status: 202, body: { job_id: ended.id } }),
    [`GET /api/jobs/${ended.id}`]: () => ({ body: { ...ended, result: null } }),
  })
  const client = new QueryClient()
  putJob(client, ended)
  render(
    <QueryClientProvider client={client}>
      <Starter />
    </QueryClientProvider>,
  )
  await waitFor(() => expect(client.getQueryData(['recording', bare.id])).toBeDefined())

  await userEvent.click(screen.getByRole('button', { name: 'Start' }))
  await waitFor(() => expect(calls.filter(({ key }) => key === path)).toHaveLength(2))
  expect(screen.getByRole('button', { name: 'Start' })).toBeDisabled()
  loading.resolve(transcribed)
  expect(await screen.findByText('transcript')).toBeVisible()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Start' })).toBeEnabled())
})
