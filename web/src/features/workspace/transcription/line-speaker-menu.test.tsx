import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeMonoCall, renderWithSpeakers } from '../../../testing/mono-call.tsx'
import { withPlayer } from '../../../testing/player.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { TranscriptTimeline } from './transcript-timeline.tsx'

async function show(recording = makeMonoCall()) {
  const rendered = renderWithSpeakers(recording, ({ recording: { transcription } }) =>
    withPlayer(<TranscriptTimeline transcription={transcription} />),
  )
  await screen.findByRole('list', { name: 'Transcript Timeline' })
  return rendered
}

const rows = () => within(screen.getByRole('list', { name: 'Transcript Timeline' })).getAllByRole('listitem')
const menuAt = (time: string) => screen.getByRole('button', { name: `Speaker of the line at ${time}` })

it('moves a line to another speaker', async () => {
  const { user, server } = await show()
  await user.click(menuAt('0:06'))
  expect(await screen.findByRole('menuitemradio', { name: /Speaker C$/ })).toHaveAttribute('aria-checked', 'true')
  await user.click(screen.getByRole('menuitemradio', { name: /Speaker B$/ }))
  expect(within(rows()[2] ?? document.body).getByTitle('Speaker B')).toHaveTextContent('B')
  expect(within(rows()[2] ?? document.body).getByTitle('Moved by hand; found as Speaker C')).toBeVisible()
  await waitFor(() => expect(server.stored.corrections.moved).toEqual([{ start: 6.5, end: 16, speaker: 'Speaker B' }]))
  expect(screen.queryByText('Speaker C')).toBeNull()
})

it('moves a line by keyboard alone, and returns the focus to its menu', async () => {
  const { user, server } = await show()
  menuAt('0:20').focus()
  await user.keyboard('{Enter}')
  const item = await screen.findByRole('menuitemradio', { name: /Speaker B$/ })
  item.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(server.stored.corrections.moved).toMatchObject([{ start: 20, speaker: 'Speaker B' }]))
  await waitFor(() => expect(menuAt('0:20')).toHaveFocus())
})

it('marks a line with talk-over', async () => {
  await show()
  expect(within(rows()[2] ?? document.body).getByText('talk-over')).toBeVisible()
  expect(screen.getAllByText('talk-over')).toHaveLength(1)
})

it('shows no names in a call of two channels until a speaker is named', async () => {
  const lines = [
    makeSegment('سلام'),
    makeSegment('good morning', { start: 2, end: 3, speaker: 'Speaker B', channel: 1 }),
  ]
  const { server } = await show(makeRecording(makeTranscript(lines)))
  expect(rows().map((row) => row.querySelector('button')?.textContent)).toEqual([
    '0:00 – 0:01Aسلام',
    '0:02 – 0:03Bgood morning',
  ])
  expect(screen.getByTitle('Left Channel')).toHaveTextContent('A')
  expect(server.stored.version).toBe(0)
})

it('shows no menu where there is one voice', async () => {
  const { transcription, ...call } = makeMonoCall()
  const segments = transcription?.segments.map(({ start, end, text }) => ({ start, end, text })) ?? []
  await show({ ...call, transcription: transcription && { ...transcription, segments, speaker_transcriptions: [] } })
  expect(screen.queryByRole('button', { name: /^Speaker of the line/ })).toBeNull()
})
