import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording } from '../../../testing/transcripts.ts'

const startKey = 'POST /api/transcribe'

async function show({ isStereo }: { isStereo: boolean }) {
  const recording = makeRecording(null, { is_stereo: isStereo, channels: isStereo ? 2 : 1 })
  const view = await renderDesk(recording, { [startKey]: () => failure(503, 'Busy') })
  const sent = async (label: string) => {
    await view.user.click(screen.getByRole('button', { name: label }))
    return await view.sent(startKey)
  }
  return { user: view.user, sent }
}

it('requests the detection of speakers in a mono recording unless their number is selected', async () => {
  const { user, sent } = await show({ isStereo: false })
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
  const { user, sent } = await show({ isStereo: true })
  expect(await sent('Start Dual Speaker Transcription')).not.toHaveProperty('split_voices')
  const button = screen.getByRole('button', { name: 'Several voices on a channel' })
  expect(button).toHaveAttribute('aria-expanded', 'false')
  await user.click(button)
  await user.click(screen.getByRole('switch', { name: 'Right Channel: several voices' }))
  expect(button).toHaveTextContent('Several voices on a channel (1)')
  expect(await sent('Start Dual Speaker Transcription')).toMatchObject({ split_voices: [false, true] })
})
