import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import { languagesKey, makeLanguages, renderDesk } from '../../../testing/desk-screen.tsx'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const startKey = 'POST /api/transcribe'
const left = makeSegment('سلام ورور')
const right = makeSegment('good morning', { start: 2, end: 3, speaker: 'Speaker B', channel: 1 })
const transcript = makeTranscript([left, right])

/** The request that produced the transcript: Pashto left, English right. */
const request: RecordingDetails['transcription_request'] = {
  language: 'ps',
  channel_languages: ['ps', 'en'],
  names: ['Ahmad'],
  speaker_count: null,
  split_voices: [],
  model: null,
}

function show(overrides: Partial<RecordingDetails> = {}, handlers: Parameters<typeof renderDesk>[1] = {}) {
  const recording = makeRecording(transcript, { transcription_request: request, ...overrides })
  return renderDesk(recording, { [startKey]: () => failure(503, 'Busy'), ...handlers })
}

const dialog = () => screen.findByRole('dialog', { name: 'Transcribe again' })

it('asks before it transcribes again, with the languages that were asked for, and sends them', async () => {
  const { user, calls, sent } = await show()
  await user.click(screen.getByRole('button', { name: 'Retranscribe' }))
  const question = within(await dialog())
  expect(question.getByRole('combobox', { name: 'Transcription Language' })).toHaveValue('Pashto')
  expect(question.getByRole('combobox', { name: 'Right Channel' })).toHaveValue('English')
  expect(question.getByText(/is kept with its edits/)).toBeVisible()
  expect(calls.map(({ key }) => key)).not.toContain(startKey)
  await user.click(question.getByRole('button', { name: 'Transcribe again' }))
  expect(await sent(startKey)).toMatchObject({
    language: 'ps',
    channel_languages: ['ps', 'en'],
    names: ['Ahmad'],
    force: true,
  })
})

it('offers the installed speech models where there are several', async () => {
  const models = ['Small', 'Large'].map((name) => ({
    id: name.toLowerCase(),
    name,
    languages: ['ps', 'en'],
    detects_languages: true,
  }))
  const { user, sent } = await show({}, { [languagesKey]: () => makeLanguages({}, models) })
  await user.click(screen.getByRole('button', { name: 'Retranscribe' }))
  const question = within(await dialog())
  await user.click(question.getByRole('combobox', { name: 'Speech Model' }))
  await user.click(await screen.findByRole('option', { name: 'Large' }))
  await user.click(question.getByRole('button', { name: 'Transcribe again' }))
  expect(await sent(startKey)).toMatchObject({ model: 'large' })
})

it('changes nothing when it is cancelled', async () => {
  const { user, calls } = await show()
  await user.click(screen.getByRole('button', { name: 'Retranscribe' }))
  await user.click(within(await dialog()).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.map(({ key }) => key)).not.toContain(startKey)
})

it('asks for a channel part by part where its language changes', async () => {
  const warnings = [{ code: 'language_changes', message: 'It changes.', channel: 1 }]
  const { user, sent } = await show({ transcription: { ...transcript, warnings } })
  await user.click(screen.getByRole('button', { name: '1 remark' }))
  await user.click(await screen.findByRole('button', { name: 'Transcribe part by part' }))
  const question = within(await dialog())
  expect(question.getByRole('combobox', { name: 'Right Channel' })).toHaveValue('Detect part by part')
  await user.click(question.getByRole('button', { name: 'Transcribe again' }))
  expect(await sent(startKey)).toMatchObject({ channel_languages: ['ps', 'multi'], force: true })
})

it('names the detected language of each speaker where they differ', async () => {
  await show()
  expect(screen.getByTitle('Left Channel: detected language and confidence')).toHaveTextContent('A: Pashto · 97%')
  expect(screen.getByTitle('Right Channel: detected language and confidence')).toHaveTextContent('B: English · 88%')
})
