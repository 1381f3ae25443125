import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { withPlayer } from '../../../testing/player.tsx'
import { makeRecording } from '../../../testing/transcripts.ts'
import { TranscriptionPanel } from './transcription-panel.tsx'

function show({ isStereo }: { isStereo: boolean }) {
  const calls = fakeServer({ 'POST /api/transcribe': () => failure(503, 'Busy') })
  const { user } = renderAt(
    '/transcribe',
    withPlayer(
      <TranscriptionPanel
        recording={makeRecording(null, { is_stereo: isStereo, channels: isStereo ? 2 : 1 })}
        selected={{ language: 'ps', rightLanguage: 'same' }}
        onSelect={() => {}}
      />,
    ),
    someUser,
  )
  const sent = async (label: string) => {
    await user.click(screen.getByRole('button', { name: label }))
    await waitFor(() => expect(calls.map(({ key }) => key)).toContain('POST /api/transcribe'))
    return calls.findLast(({ key }) => key === 'POST /api/transcribe')?.body
  }
  return { user, sent }
}

it('requests the detection of speakers in a mono recording unless their number is selected', async () => {
  const { user, sent } = show({ isStereo: false })
  const field = screen.getByRole('combobox', { name: 'Number of speakers' })
  expect(field).toHaveValue('Find automatically')
  expect(await sent('Start Transcription')).not.toHaveProperty('speaker_count')
  await user.click(field)
  expect(screen.getAllByRole('option', { name: /^\d$/ }).map(({ textContent }) => textContent)).toEqual([...'12345678'])
  await user.click(screen.getByRole('option', { name: '3' }))
  const body = await sent('Start Transcription')
  expect(body).toMatchObject({ speaker_count: 3 })
  expect(body).not.toHaveProperty('split_voices')
})

it('requests several voices on a channel only where that is switched on', async () => {
  const { user, sent } = show({ isStereo: true })
  expect(await sent('Start Dual Speaker Transcription')).not.toHaveProperty('split_voices')
  const button = screen.getByRole('button', { name: 'Several voices on a channel' })
  expect(button).toHaveAttribute('aria-expanded', 'false')
  await user.click(button)
  await user.click(screen.getByRole('switch', { name: 'Right Channel: several voices' }))
  expect(button).toHaveTextContent('Several voices on a channel (1)')
  expect(await sent('Start Dual Speaker Transcription')).toMatchObject({ split_voices: [false, true] })
})
