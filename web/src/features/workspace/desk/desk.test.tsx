import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { makeRecording, makeRunningJob, makeTranscript } from '../../../testing/transcripts.ts'

const segment = { start: 0, end: 1, text: 'salaam', channel: 0 }

async function openSpeakers(recording: Parameters<typeof renderDesk>[0]) {
  const { user } = await renderDesk(recording)
  await user.click(await screen.findByRole('tab', { name: 'Speakers' }))
  return within(screen.getByRole('complementary', { name: 'Panels' }))
}

it('lists the speakers of a transcript beside the conversation', async () => {
  const panels = await openSpeakers(makeRecording(makeTranscript([segment])))
  expect(await panels.findByText('Speakers separated by channel')).toBeVisible()
  expect(panels.getByText('Speaker Diarization')).toBeVisible()
})

it('has no speakers to correct before there is a transcript', async () => {
  const panels = await openSpeakers(makeRecording(null))
  expect(await panels.findByText('Speaker Diarization')).toBeVisible()
  expect(panels.queryByText(/Speakers separated/)).not.toBeInTheDocument()
})

it('says that words will appear while the first are looked for, in place of what starts the work', async () => {
  await renderDesk(makeRecording(null, { job: makeRunningJob(null) }))
  expect(await screen.findByText('The words appear here while they are found.')).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Not transcribed yet' })).not.toBeInTheDocument()
})
