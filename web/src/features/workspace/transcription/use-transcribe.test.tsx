import { notifications } from '@mantine/notifications'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
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
  const endedAtMs = performance.now()
  act(() => putJob(client, { ...job, state: 'done', finished_at: '2026-01-02T03:05:00.000Z' }))
  await screen.findByRole('button', { name: 'Retranscribe' })
  return { keys: calls.map(({ key }) => key), endedAtMs }
}

it('shows the first 8 characters of the saved id a second after a transcription, for three seconds', async () => {
  const shown = vi.spyOn(notifications, 'show')
  const { keys, endedAtMs } = await finishTranscription()
  expect(await screen.findByText('Transcription saved: 01234567')).toBeVisible()
  expect(performance.now() - endedAtMs).toBeGreaterThanOrEqual(1000)
  const toast = { message: 'Transcription saved: 01234567', autoClose: 3000 }
  expect(shown).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(toast))
  expect(keys).not.toContain(translateKey)
})

it('translates after a transcription where the settings ask for it', async () => {
  localStorage.setItem('awaz_settings', JSON.stringify({ translation: { autoTranslate: true } }))
  await finishTranscription()
  await waitFor(() => expect(screen.getByText('Busy')).toBeVisible())
})
