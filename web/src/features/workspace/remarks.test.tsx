import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { TranscriptionWarning } from '#contract/transcription.ts'
import { renderAt } from '../../testing/render.tsx'
import { Remarks } from './remarks.tsx'

const repetition = { code: 'repetition', message: 'The model repeated itself.' }

function show(warnings: TranscriptionWarning[]) {
  const onSeek = vi.fn()
  const onPartByPart = vi.fn()
  const { user } = renderAt(
    '/transcribe',
    <Remarks warnings={warnings} onSeek={onSeek} onPartByPart={onPartByPart} isBusy={false} />,
  )
  return { user, onSeek, onPartByPart }
}

it('says the same remark once, each passage a button that seeks', async () => {
  const { user, onSeek } = show([
    { ...repetition, start: 62, end: 65, channel: 0 },
    { ...repetition, start: 80.5, end: 80.9, channel: 1 },
    { code: 'dual_mono', message: 'Both channels are the same.' },
  ])
  expect(screen.getAllByRole('listitem')).toHaveLength(2)
  expect(screen.getByRole('button', { name: /1:02 – 1:05/ })).toBeVisible()
  await user.click(screen.getByRole('button', { name: /1:20$/ }))
  expect(onSeek).toHaveBeenCalledExactlyOnceWith(80.5)
})

it('offers to transcribe a channel part by part whose language changes', async () => {
  const { user, onPartByPart } = show([{ code: 'language_changes', message: 'It changes.', channel: 1 }])
  await user.click(screen.getByRole('button', { name: 'Transcribe part by part' }))
  expect(onPartByPart).toHaveBeenCalledWith(1)
})

it('is not there without remarks', () => {
  show([])
  expect(screen.queryByRole('list')).toBeNull()
})
