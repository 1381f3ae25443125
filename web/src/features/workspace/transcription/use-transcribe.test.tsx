import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { putJob } from '../../../shared/events/jobs.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const translateKey = 'POST /api/translate-speakers'
const transcript = makeTranscript([makeSegment('سلام ورور')])

/** Shows a recording while it is transcribed, then ends the transcription. */
async function finishTranscription() {
  const job = makeRunningJob(null)
  let recording: RecordingDetails = makeRecording(null, { job })
  const path = `GET /api/recordings/${recording.id}`
  const { calls, client } = await renderDesk(recording, {
    [path]: () => ({ body: recording }),
    [translateKey]: () => failure(503, 'Busy'),
  })
  act(() => putJob(client, job))
  recording = makeRecording(transcript)
  act(() => putJob(client, { ...job, state: 'done', finished_at: '2026-01-02T03:05:00.000Z' }))
  await screen.findByRole('button', { name: 'Retranscribe' })
  return calls.map(({ key }) => key)
}

it('shows the first 8 characters of the saved id after a transcription', async () => {
  const keys = await finishTranscription()
  expect(await screen.findByText('Transcription saved: 01234567', undefined, { timeout: 4000 })).toBeVisible()
  expect(keys).not.toContain(translateKey)
})

it('translates after a transcription where the settings ask for it', async () => {
  localStorage.setItem('awaz_settings', JSON.stringify({ translation: { autoTranslate: true } }))
  await finishTranscription()
  await waitFor(() => expect(screen.getByText('Busy')).toBeVisible())
})
