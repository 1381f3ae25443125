import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { formatMegabytes } from '../../../shared/format.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { describeChannels } from '../provenance/describe-channels.ts'

it('names the file with its size in MB, its channels, and the detected language with its confidence', async () => {
  await renderDesk(makeRecording(makeTranscript([makeSegment('سلام ورور')]), { size: 18_350_080 }))
  expect(screen.getByRole('heading', { level: 1, name: 'call.wav' })).toBeVisible()
  expect(screen.getByText('17.5 MB')).toBeVisible()
  expect(screen.getByText('Stereo, two speakers')).toBeVisible()
  expect(screen.getByTitle('Detected language and confidence')).toHaveTextContent('Pashto · 97%')
})

it.each([
  [104_857_600, '100.0 MB'],
  [2048, '0.002 MB'],
])('writes %d bytes as %s', (size, text) => {
  expect(formatMegabytes(size)).toBe(text)
})

it.each([
  [true, 2, 'Stereo, two speakers'],
  [false, 2, 'Stereo with equal channels, heard as mono'],
  [false, 1, 'Mono'],
  [false, 4, '4 channels, mixed into one'],
])('tells of is_stereo %s with %d channels: %s', (is_stereo, channels, text) => {
  expect(describeChannels({ is_stereo, channels })).toBe(text)
})

it('shows under "Now Playing" the segment at the playback position', async () => {
  const right = makeSegment('good morning', { start: 20, end: 24, speaker: 'Speaker B', channel: 1 })
  const transcript = makeTranscript([makeSegment('سلام ورور', { end: 5 }), right])
  const { user } = await renderDesk(makeRecording(transcript))
  const card = screen.getByText('Now Playing').closest('div')
  if (!card) throw new Error('Now Playing stands in no card')
  expect(card).toHaveTextContent('سلام ورور')
  await user.click(screen.getByRole('button', { name: 'Forward 10 seconds' }))
  await user.click(screen.getByRole('button', { name: 'Forward 10 seconds' }))
  expect(within(card).getByText('good morning')).toBeVisible()
})
