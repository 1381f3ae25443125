import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { languagesKey, makeLanguages, renderDesk } from '../../../testing/desk-screen.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording, makeRunningJob } from '../../../testing/transcripts.ts'

const startKey = 'POST /api/transcribe'
const handlers = { [startKey]: () => failure(503, 'Busy') }
const startButton = () => screen.getByRole('button', { name: 'Start Dual Speaker Transcription' })

describe('without a transcript', () => {
  it('starts one in the selected languages', async () => {
    const { user, sent } = await renderDesk(makeRecording(null), handlers)
    expect(screen.getByRole('heading', { name: 'Not transcribed yet' })).toBeVisible()
    await user.click(screen.getByRole('combobox', { name: 'Right Channel' }))
    await user.click(screen.getByRole('option', { name: 'English' }))
    await user.click(startButton())
    expect(await sent(startKey)).toMatchObject({ language: 'ps', channel_languages: ['ps', 'en'], force: false })
  })

  it('shows why it could not be started', async () => {
    const { user } = await renderDesk(makeRecording(null), handlers)
    await user.click(startButton())
    expect(await screen.findByText('Busy')).toBeVisible()
    expect(await screen.findByText('Failed to transcribe audio. Please try again.')).toBeVisible()
  })

  it('shows why the last transcription failed', async () => {
    const error = { error: 'The file cannot be decoded.', code: 'unreadable_audio' as const, help: 'Upload it again.' }
    await renderDesk(makeRecording(null, { job: makeRunningJob(null, { state: 'failed', error }) }))
    expect(screen.getByRole('alert')).toHaveTextContent('The file cannot be decoded.Upload it again.')
  })

  it.each([
    [true, 2],
    [false, 0],
  ])('offers to detect languages where the models can: %s', async (canDetect, count) => {
    const { user } = await renderDesk(makeRecording(null), {
      [languagesKey]: () => makeLanguages({ language_detection: canDetect }),
    })
    await user.click(screen.getByRole('combobox', { name: 'Transcription Language' }))
    await waitFor(() => expect(screen.queryAllByRole('option', { name: /^Detect/ })).toHaveLength(count))
    expect(screen.getByRole('option', { name: 'Pashto' })).toBeVisible()
  })

  it('shows at the language what is wrong with its model', async () => {
    const problem = 'The model Pashto is not installed.'
    const broken = { id: 'pashto', name: 'Pashto', kind: 'speech', languages: ['ps'], pairs: [], problem }
    const { user } = await renderDesk(makeRecording(null), {
      [languagesKey]: () => makeLanguages({ transcription: ['en'], models: [broken] }),
    })
    expect(await screen.findByText(problem)).toBeVisible()
    await user.click(screen.getByRole('combobox', { name: 'Transcription Language' }))
    expect(screen.getByRole('option', { name: 'Pashto (its model cannot be used)' })).toBeVisible()
    expect(screen.getByRole('option', { name: 'English' })).toBeVisible()
  })
})

describe('while a transcription runs', () => {
  it('shows its progress and neither options nor the start button', async () => {
    await renderDesk(makeRecording(null, { job: makeRunningJob(null) }))
    expect(screen.getByText('Initializing transcription...')).toHaveRole('status')
    expect(screen.queryByRole('button', { name: /^(Start Dual|Names likely)/ })).toBeNull()
  })

  it('disables what cannot run beside it', async () => {
    await renderDesk(makeRecording(null, { job: makeRunningJob(null) }))
    expect(screen.getByRole('button', { name: 'Start AI Translation' })).toBeDisabled()
    expect(screen.getByRole('combobox', { name: 'Translation Language' })).toBeDisabled()
  })

  it('cancels it', async () => {
    const job = makeRunningJob(null)
    const { user, calls } = await renderDesk(makeRecording(null, { job }))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(calls.map(({ key }) => key)).toContain(`DELETE /api/jobs/${job.id}`))
  })
})
