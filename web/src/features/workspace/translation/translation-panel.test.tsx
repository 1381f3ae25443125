import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { RecordingDetails } from '#contract/entities/recording.ts'
import type { TranslatedSegment, TranslationResult } from '#contract/translation.ts'
import { failure, fakeServer, someUser } from '../../../testing/fake-server.ts'
import { withPlayer } from '../../../testing/player.tsx'
import { renderAt } from '../../../testing/render.tsx'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { TranslationPanel } from './translation-panel.tsx'

const speakersKey = 'POST /api/translate-speakers'
const textKey = 'POST /api/translate'
const transcript = makeTranscript([makeSegment('سلام'), makeSegment('سړک بند دی', { start: 2, end: 3 })])
const withoutSpeakers = { ...transcript, speaker_transcriptions: [] }
const hello: TranslatedSegment = { start: 0, end: 1, text: 'سلام', translated_text: 'Hello', error: null }
const refused: TranslatedSegment = {
  ...hello,
  start: 2,
  end: 3,
  text: 'سړک بند دی',
  translated_text: '',
  error: 'The model declined.',
  not_translated: { reason: 'refusal' },
}

function makeTranslation(segments: TranslatedSegment[]): TranslationResult {
  return {
    translated_text: 'Hello',
    original_text: 'سلام',
    source_language: 'ps',
    target_language: 'en',
    num_speakers: 1,
    speaker_translations: [{ speaker: 'Speaker A', translated_text: 'Hello', error: null, segments }],
    segments,
    model: 'test',
  }
}

function makeJob(overrides: Parameters<typeof makeRunningJob>[1]) {
  return makeRunningJob(null, { kind: 'translate', target_language: 'en', ...overrides })
}

function show(recording: RecordingDetails, translation: TranslationResult | null = null) {
  const calls = fakeServer({
    [speakersKey]: () => failure(503, 'The queue is full.', { help: 'Try again later.' }),
    [textKey]: () => failure(503, 'The queue is full.'),
  })
  const panel = <TranslationPanel recording={recording} translation={translation} language="ps" target="en" />
  const { user } = renderAt('/transcribe', withPlayer(panel), someUser)
  const sent = async (key: string) => {
    await waitFor(() => expect(calls.map((call) => call.key)).toContain(key))
    return calls.find((call) => call.key === key)?.body
  }
  return { user, calls, sent }
}

const startButton = () => screen.getByRole('button', { name: 'Start AI Translation' })

describe('without a translation', () => {
  it('asks for a transcript first', async () => {
    const { user, calls } = show(makeRecording(null))
    expect(screen.getByText('Transcribe the recording first.')).toBeVisible()
    await user.click(startButton())
    expect(await screen.findByText('Please transcribe audio first')).toBeVisible()
    expect(calls).toEqual([])
  })

  it('requests one by the id of the transcript, never with its text', async () => {
    const { user, sent } = show(makeRecording(transcript))
    expect(screen.getByRole('heading', { name: 'Into English' })).toBeVisible()
    await user.click(startButton())
    expect(await sent(speakersKey)).toEqual({
      transcription_data: { transcription_id: transcript.transcription_id },
      target_language: 'en',
      force: false,
    })
  })

  it('requests a transcript without speakers as plain text, by its id too', async () => {
    const recording = makeRecording(withoutSpeakers)
    const { user, sent } = show(recording)
    await user.click(startButton())
    expect(await sent(textKey)).toEqual({
      transcription_id: transcript.transcription_id,
      source_language: 'ps',
      target_language: 'en',
      recording_id: recording.id,
      force: false,
    })
  })

  it('shows why a translation could not be started', async () => {
    const { user } = show(makeRecording(transcript))
    await user.click(startButton())
    const alerts = await screen.findAllByRole('alert')
    expect(alerts.some((alert) => alert.textContent === 'The queue is full.Try again later.')).toBe(true)
    expect(await screen.findByText('Failed to translate text. Please try again.')).toBeVisible()
    expect(startButton()).toBeEnabled()
  })

  it('shows why the last translation failed', () => {
    const error = { error: 'The model is damaged.', code: 'model_unavailable' as const, help: 'Restore it.' }
    show(makeRecording(transcript, { job: makeJob({ state: 'failed', error }) }))
    expect(screen.getByRole('alert')).toHaveTextContent('The model is damaged.Restore it.')
    expect(startButton()).toBeVisible()
  })
})

describe('while a translation runs', () => {
  it('shows the place in the queue', () => {
    show(makeRecording(transcript, { job: makeJob({ state: 'queued', queue_position: 3 }) }))
    expect(screen.getByRole('status')).toHaveTextContent('Waiting in the queue, place 3')
    expect(screen.queryByRole('button', { name: 'Start AI Translation' })).toBeNull()
  })

  it('shows the share done and the text so far in its language', () => {
    const progress = { current_segment: 1, total_segments: 2, latest_segment: null, partial_text: 'Hello' }
    show(makeRecording(transcript, { job: makeJob({ progress }) }))
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50')
    expect(screen.getByText('Hello')).toHaveAttribute('lang', 'en')
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled()
  })
})

describe('a translation', () => {
  it('is shown line by line, and repeated on demand', async () => {
    const { user, sent } = show(makeRecording(transcript), makeTranslation([hello]))
    expect(screen.getByText('Pashto → English')).toBeVisible()
    expect(within(screen.getByRole('list', { name: 'Translation Timeline' })).getByText('Hello')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Retranslate' }))
    expect(await sent(speakersKey)).toMatchObject({ force: true })
  })

  it('is shown by speaker beside its original', async () => {
    const { user } = show(makeRecording(transcript), makeTranslation([hello]))
    await user.click(screen.getByRole('tab', { name: 'By speaker' }))
    const block = within(await screen.findByRole('region', { name: 'Speaker A' }))
    expect(block.getByText('Hello')).toHaveAttribute('lang', 'en')
    expect(block.getByText('سلام')).toHaveAttribute('lang', 'ps')
  })

  it.each([
    ['all failed lines', 'Translate them again', 'failed'],
    ['one line', 'Translate the line “سړک بند دی” again', { start: 2, end: 3 }],
  ])('retries %s by the id of the transcript', async (_, button, retry) => {
    const { user, sent } = show(makeRecording(transcript), makeTranslation([hello, refused]))
    await user.click(screen.getByRole('button', { name: button }))
    expect(await sent(speakersKey)).toEqual({
      transcription_data: { transcription_id: transcript.transcription_id },
      target_language: 'en',
      retry,
    })
  })

  it('offers no retry of single lines without speakers', () => {
    show(makeRecording(withoutSpeakers), { ...makeTranslation([hello, refused]), speaker_translations: [] })
    expect(screen.getByText('One line was not translated.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Translate/ })).toBeNull()
  })
})
