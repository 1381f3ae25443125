import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { withPlayer } from '../../../testing/player.tsx'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { initialLanguages } from '../languages/selected-languages.ts'
import { LanguagePickers } from '../languages/language-pickers.tsx'
import { SpeakersContext, useRecordingSpeakers } from '../speakers/recording-speakers.ts'
import { TranscriptionPanel } from './transcription-panel.tsx'

const left = makeSegment('سلام ورور')
const right = makeSegment('good morning', { start: 2, end: 3, speaker: 'Speaker B', channel: 1 })

function PickersAndPanel({ recording }: { recording: RecordingDetails }) {
  const [selected, setSelected] = useState(() => initialLanguages(recording))
  return (
    <SpeakersContext value={useRecordingSpeakers(recording).speakers}>
      <LanguagePickers selected={selected} onSelect={setSelected} isStereo target="en" onTargetChange={() => {}} />
      <TranscriptionPanel recording={recording} selected={selected} onSelect={setSelected} />
    </SpeakersContext>
  )
}

it('shows at the language what is wrong with its model', async () => {
  const problem = 'The model Pashto is not installed.'
  const broken = { id: 'pashto', name: 'Pashto', kind: 'speech', languages: ['ps'], pairs: [], problem }
  const { user } = show({}, { language_detection: true, transcription: ['en'], models: [broken] })
  expect(await screen.findByText(problem)).toBeVisible()
  await user.click(screen.getByRole('combobox', { name: 'Transcription Language' }))
  expect(screen.getByRole('option', { name: 'Pashto (its model cannot be used)' })).toBeVisible()
  expect(screen.getByRole('option', { name: 'English' })).toBeVisible()
})

const startKey = 'POST /api/transcribe'

function show(overrides: Partial<TranscriptionResult> = {}, features?: object) {
  return showRecording(makeRecording(makeTranscript([left, right], overrides)), features)
}

function showRecording(recording: RecordingDetails, features: object = { language_detection: true }) {
  const calls = fakeServer({
    [startKey]: () => failure(503, 'Busy'),
    'GET /api/languages': () => ({
      body: {
        translation_languages: { en: 'English' },
        transcription_languages: { ps: 'Pashto', en: 'English' },
        features: {
          speech: null,
          translation: null,
          transcription: ['ps', 'en'],
          translation_sources: [],
          translation_targets: ['en'],
          diarization: true,
          ...features,
        },
      },
    }),
  })
  const { user } = renderAt('/transcribe', withPlayer(<PickersAndPanel recording={recording} />), someUser)
  return { user, calls }
}

it('names the detected language of each speaker where they differ', () => {
  show()
  expect(screen.getByTitle('Left Channel: detected language and confidence')).toHaveTextContent('A: Pashto · 97%')
  expect(screen.getByTitle('Right Channel: detected language and confidence')).toHaveTextContent('B: English · 88%')
})

it('transcribes a channel part by part whose language changes, and selects that in the pickers', async () => {
  const { user, calls } = show({ warnings: [{ code: 'language_changes', message: 'It changes.', channel: 1 }] })
  await user.click(screen.getByRole('button', { name: 'Transcribe part by part' }))
  await waitFor(() =>
    expect(calls.find(({ key }) => key === startKey)?.body).toMatchObject({
      language: 'ps',
      channel_languages: ['ps', 'multi'],
      force: true,
    }),
  )
  expect(screen.getByRole('combobox', { name: 'Right Channel' })).toHaveValue('Detect part by part')
})

it.each([
  [true, ['Detect language', 'Detect part by part']],
  [false, []],
])('offers to detect languages where the models can: %s', async (canDetect, expected) => {
  const { user } = show({}, { language_detection: canDetect })
  await user.click(screen.getByRole('combobox', { name: 'Transcription Language' }))
  await waitFor(() => expect(screen.queryAllByRole('option', { name: /^Detect/ })).toHaveLength(expected.length))
  expect(screen.getByRole('option', { name: 'Pashto' })).toBeVisible()
})

it('shows a paragraph for each language of a speaker', async () => {
  const evening = makeSegment('good evening', { language: 'en' })
  const { speaker_transcriptions } = makeTranscript([left, evening])
  const { user } = show({ speaker_transcriptions })
  await user.click(screen.getByRole('tab', { name: 'By speaker' }))
  expect(await screen.findByText('good evening')).toHaveAttribute('lang', 'en')
  expect(screen.getByText('سلام ورور')).toHaveAttribute('lang', 'ps')
})

describe('without a transcript', () => {
  it('starts one in the selected languages', async () => {
    const { user, calls } = showRecording(makeRecording(null))
    expect(screen.getByRole('heading', { name: 'Not transcribed yet' })).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Start Dual Speaker Transcription' }))
    await waitFor(() => expect(calls.find(({ key }) => key === startKey)?.body).toMatchObject({ force: false }))
  })

  it('shows why it could not be started', async () => {
    const { user } = showRecording(makeRecording(null))
    await user.click(screen.getByRole('button', { name: 'Start Dual Speaker Transcription' }))
    expect(await screen.findByText('Busy')).toBeVisible()
    expect(await screen.findByText('Failed to transcribe audio. Please try again.')).toBeVisible()
  })

  it('shows why the last transcription failed', () => {
    const error = { error: 'The file cannot be decoded.', code: 'unreadable_audio' as const, help: 'Upload it again.' }
    showRecording(makeRecording(null, { job: makeRunningJob(null, { state: 'failed', error }) }))
    expect(screen.getByRole('alert')).toHaveTextContent('The file cannot be decoded.Upload it again.')
  })
})

describe('while a transcription runs', () => {
  it('shows its progress and neither options nor the start button', () => {
    showRecording(makeRecording(null, { job: makeRunningJob(null) }))
    expect(screen.getByRole('status')).toHaveTextContent('Initializing transcription...')
    expect(screen.queryByRole('button', { name: /^(Start|Names likely)/ })).toBeNull()
  })

  it('cancels it', async () => {
    const job = makeRunningJob(null)
    const { user, calls } = showRecording(makeRecording(null, { job }))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(calls.map(({ key }) => key)).toContain(`DELETE /api/jobs/${job.id}`))
  })
})

it('shows that nothing was said in a recording without speech', () => {
  showRecording(makeRecording(makeTranscript([])))
  expect(screen.getByText('No speech was found in this recording.')).toBeVisible()
})
