import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { TranscriptionWarning } from '#contract/transcription.ts'
import { renderAt } from '../../../testing/render.tsx'
import { TranscriptWarnings } from './transcript-warnings.tsx'

function show(warnings: TranscriptionWarning[]) {
  const onSeek = vi.fn()
  const onPartByPart = vi.fn()
  const { user } = renderAt(
    '/transcribe',
    <TranscriptWarnings warnings={warnings} onSeek={onSeek} onPartByPart={onPartByPart} isBusy={false} />,
  )
  return { user, onSeek, onPartByPart }
}

it('shows a warning of many passages once, with a button for each passage that seeks', async () => {
  const { user, onSeek } = show([
    { code: 'repetition', message: 'From 1:02 to 1:05 …', start: 62, end: 65, channel: 0 },
    { code: 'repetition', message: 'From 1:20 to 1:20 …', start: 80.5, end: 80.9, channel: 1 },
    { code: 'dual_mono', message: 'Both channels are the same.' },
  ])
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  expect(screen.getByText('Not understood: the model only repeated itself.')).toBeVisible()
  expect(screen.getByRole('button', { name: /1:02 – 1:05/ })).toBeVisible()
  await user.click(screen.getByRole('button', { name: /1:20$/ }))
  expect(onSeek).toHaveBeenCalledExactlyOnceWith(80.5)
})

it('shows what was left out as bleed once, with the time of each passage', async () => {
  const { user, onSeek } = show([
    { code: 'bleed', message: 'The right channel …', start: 12, end: 15, channel: 1 },
    { code: 'bleed', message: 'The right channel …', start: 65, end: 67.5, channel: 1 },
  ])
  expect(screen.getAllByRole('listitem')).toHaveLength(1)
  expect(screen.getByText('Left out: only the voice of the other channel is heard there (bleed).')).toBeVisible()
  await user.click(screen.getByRole('button', { name: /1:05 – 1:07/ }))
  expect(onSeek).toHaveBeenCalledExactlyOnceWith(65)
})

it('offers to transcribe a channel part by part where its language changes', async () => {
  const change = { code: 'language_changes', start: 60, end: 90, channel: 1 }
  const { user, onPartByPart } = show([
    { ...change, message: 'Speaker B seems to speak English.' },
    { ...change, message: 'Speaker B seems to speak Arabic.' },
  ])
  expect(screen.getAllByRole('button', { name: /1:00 – 1:30/ })).toHaveLength(2)
  await user.click(screen.getByRole('button', { name: 'Transcribe part by part' }))
  expect(onPartByPart).toHaveBeenCalledWith(1)
})

it('shows nothing without warnings', () => {
  show([])
  expect(screen.queryByRole('list')).toBeNull()
})
