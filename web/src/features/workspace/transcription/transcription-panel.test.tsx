import { screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranscriptionResult } from '#contract/transcription.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { renderAt } from '../../../testing/render.tsx'
import { withPlayer } from '../../../testing/player.tsx'
import { makeRecording, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
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

it('says at the language what is wrong with its model', async () => {
  const problem = 'The model Pashto is not installed.'
  const broken = { id: 'pashto', name: 'Pashto', kind: 'speech', languages: ['ps'], pairs: [], problem }
  const { user } = show({}, { language_detection: true, transcription: ['en'], models: [broken] })
  expect(await screen.findByText(problem)).toBeVisible()
  await user.click(screen.getByRole('combobox', { name: 'Transcription Language' }))
  expect(screen.getByRole('option', { name: 'Pashto (its model cannot be used)' })).toBeVisible()
  expect(screen.getByRole('option', { name: 'English' })).toBeVisible()
})

function show(overrides: Partial<TranscriptionResult> = {}, features: object = { language_detection: true }) {
  const calls = fakeServer({
    'POST /api/transcribe': () => failure(503, 'Busy'),
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
  const recording = makeRecording(makeTranscript([left, right], overrides))
  const { user } = renderAt('/transcribe', withPlayer(<PickersAndPanel recording={recording} />), someUser)
  return { user, calls }
}

it('names the detected language of each speaker where they differ', () => {
  show()
  expect(screen.getByTitle('Left Channel: detected language and confidence')).toHaveTextContent('A: Pashto · 97%')
  expect(screen.getByTitle('Right Channel: detected language and confidence')).toHaveTextContent('B: English · 88%')
})

it('transcribes a channel part by part whose language changes, and the pickers say so', async () => {
  const { user, calls } = show({ warnings: [{ code: 'language_changes', message: 'It changes.', channel: 1 }] })
  await user.click(screen.getByRole('button', { name: 'Transcribe part by part' }))
  await waitFor(() =>
    expect(calls.find(({ key }) => key === 'POST /api/transcribe')?.body).toMatchObject({
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

it('shows what a speaker said in each language by itself', async () => {
  const evening = makeSegment('good evening', { language: 'en' })
  const { speaker_transcriptions } = makeTranscript([left, evening])
  const { user } = show({ speaker_transcriptions })
  await user.click(screen.getByRole('tab', { name: 'By speaker' }))
  expect(await screen.findByText('good evening')).toHaveAttribute('lang', 'en')
  expect(screen.getByText('سلام ورور')).toHaveAttribute('lang', 'ps')
})
