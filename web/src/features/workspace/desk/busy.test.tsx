import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const transcript = makeTranscript([makeSegment('سلام ورور')], { speaker_separation: { by: 'voices' } })

it.each(['transcribe', 'translate', 'diarize'] as const)(
  'while one kind of work runs, none is started: %s',
  async (kind) => {
    const job = makeRunningJob(null, { kind, target_language: kind === 'translate' ? 'en' : null })
    const { user } = await renderDesk(makeRecording(transcript, { job }))
    await user.click(screen.getByRole('tab', { name: 'Speakers' }))
    for (const name of ['Retranscribe', 'Start AI Translation', 'Start Diarization']) {
      expect(await screen.findByRole('button', { name })).toBeDisabled()
    }
  },
)
