import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { makeRecording, makeTranscript } from '../../../testing/transcripts.ts'

it('a recording without speech says so once, and has no language', async () => {
  const warnings = [{ code: 'no_speech', message: 'No speech was found in this recording.' }]
  await renderDesk(makeRecording(makeTranscript([], { transcription: '', warnings })))
  expect(await screen.findAllByText('No speech was found in this recording.')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: /remark/ })).not.toBeInTheDocument()
  expect(screen.queryByTitle('Detected language and confidence')).not.toBeInTheDocument()
})
