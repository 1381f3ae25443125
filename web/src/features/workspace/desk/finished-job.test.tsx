import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { putJob } from '../../../shared/events/jobs.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const line = makeSegment('سلام ورور')
const running = makeRunningJob({
  current_segment: 1,
  total_segments: 2,
  detected_language: 'ps',
  language_probability: 0.97,
  latest_segment: null,
  partial_text: line.text,
  partial_segments: [line],
})
const beginning = makeRecording(null, { job: running })
const finished = makeRecording(makeTranscript([line]))

const startButton = () => screen.getByRole('button', { name: 'Start AI Translation' })

it('keeps its lines, and lets nothing be started, until what it made is loaded', async () => {
  const loading = Promise.withResolvers<RecordingDetails>()
  const responses: (RecordingDetails | Promise<RecordingDetails>)[] = [beginning, loading.promise]
  const path = `GET /api/recordings/${beginning.id}`
  const { client, calls, user, sent } = await renderDesk(beginning, {
    [path]: async () => ({ body: await responses.shift() }),
    'POST /api/translate-speakers': () => failure(503, 'The queue is full.'),
  })
  act(() => putJob(client, running))
  expect(await screen.findByRole('list', { name: 'Transcript Timeline' })).toHaveTextContent(line.text)

  act(() => putJob(client, { ...running, state: 'done', finished_at: '2026-01-02T03:05:00.000Z' }))
  await waitFor(() => expect(calls.filter(({ key }) => key === path)).toHaveLength(2))
  expect(screen.getByRole('list', { name: 'Transcript Timeline' })).toHaveTextContent(line.text)
  expect(screen.queryByText('Not transcribed yet')).toBeNull()
  expect(startButton()).toBeDisabled()

  loading.resolve(finished)
  await waitFor(() => expect(startButton()).toBeEnabled())
  await user.click(startButton())
  expect(await sent('POST /api/translate-speakers')).toMatchObject({
    transcription_data: { transcription_id: finished.transcription?.transcription_id },
  })
})
