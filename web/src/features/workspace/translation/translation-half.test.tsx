import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import type { RecordingDetails, StoredTranslation } from '#contract/entities/recording.ts'
import { renderDesk } from '../../../testing/desk-screen.tsx'
import { captureDownloads } from '../../../testing/downloads.ts'
import { failure } from '../../../testing/fake-server.ts'
import { makeRecording, makeRunningJob, makeSegment, makeTranscript } from '../../../testing/transcripts.ts'

const speakersKey = 'POST /api/translate-speakers'
const textKey = 'POST /api/translate'
const road = { start: 2, end: 3, text: 'سړک بند دی' }
const transcript = makeTranscript([makeSegment('سلام'), makeSegment(road.text, road)])
const withoutSpeakers = { ...transcript, speaker_transcriptions: [] }

function makeTranslation(overrides: Partial<StoredTranslation> = {}): StoredTranslation {
  const segments = [
    { start: 0, end: 1, text: 'سلام', translated_text: 'Hello', error: null },
    { ...road, translated_text: 'The road is closed', error: null },
  ]
  return {
    transcription_id: transcript.transcription_id,
    translated_text: 'Hello',
    original_text: 'سلام',
    source_language: 'ps',
    target_language: 'en',
    num_speakers: 1,
    speaker_translations: [{ speaker: 'Speaker A', translated_text: 'Hello', error: null, segments }],
    segments,
    model: 'test',
    ...overrides,
  }
}

function show(recording: RecordingDetails) {
  return renderDesk(recording, {
    [speakersKey]: () => failure(503, 'The queue is full.', { help: 'Try again later.' }),
    [textKey]: () => failure(503, 'The queue is full.'),
  })
}

const startButton = () => screen.getByRole('button', { name: 'Start AI Translation' })
const makeJob = (overrides: Parameters<typeof makeRunningJob>[1]) =>
  makeRunningJob(null, { kind: 'translate', target_language: 'en', ...overrides })

describe('without a translation', () => {
  it('asks for a transcript first', async () => {
    const { user, calls } = await show(makeRecording(null))
    await user.click(startButton())
    // The first toast loads the component that shows it.
    expect(await screen.findByText('Please transcribe audio first', undefined, { timeout: 5000 })).toBeVisible()
    expect(calls.map(({ key }) => key)).not.toContain(textKey)
  })

  it('has a list of languages once it is opened', async () => {
    const { user } = await show(makeRecording(transcript))
    expect(screen.queryByRole('listbox', { hidden: true })).toBeNull()
    await user.click(screen.getByRole('combobox', { name: 'Translation Language' }))
    expect(await screen.findByRole('option', { name: /^Persian/ })).toBeVisible()
  })

  it('requests one by the id of the transcript, never with its text', async () => {
    const { user, sent } = await show(makeRecording(transcript))
    await user.click(startButton())
    expect(await sent(speakersKey)).toEqual({
      transcription_data: { transcription_id: transcript.transcription_id },
      target_language: 'en',
      force: false,
    })
  })

  it('requests a transcript without speakers as plain text, by its id too', async () => {
    const recording = makeRecording(withoutSpeakers)
    const { user, sent } = await show(recording)
    await user.click(startButton())
    expect(await sent(textKey)).toEqual({
      transcription_id: transcript.transcription_id,
      source_language: 'ps',
      target_language: 'en',
      recording_id: recording.id,
      force: false,
    })
  })

  it('shows once why a translation could not be started', async () => {
    const { user } = await show(makeRecording(transcript))
    await user.click(startButton())
    const alerts = await screen.findAllByRole('alert')
    expect(alerts.some((alert) => alert.textContent === 'The queue is full.Try again later.')).toBe(true)
    expect(await screen.findAllByText('Failed to translate text. Please try again.')).toHaveLength(1)
    expect(startButton()).toBeEnabled()
  })

  it('shows why the last translation failed', async () => {
    const error = { error: 'The model is damaged.', code: 'model_unavailable' as const, help: 'Restore it.' }
    await show(makeRecording(transcript, { job: makeJob({ state: 'failed', error }) }))
    expect(screen.getByRole('alert')).toHaveTextContent('The model is damaged.Restore it.')
    expect(startButton()).toBeVisible()
  })
})

describe('while a translation runs', () => {
  it('shows the place in the queue and disables starting another', async () => {
    await show(makeRecording(transcript, { job: makeJob({ state: 'queued', queue_position: 3 }) }))
    expect(screen.getByText('Waiting in the queue, place 3')).toHaveRole('status')
    expect(startButton()).toBeDisabled()
  })

  it('shows the share done', async () => {
    const progress = { current_segment: 1, total_segments: 2, latest_segment: null, partial_text: 'Hello' }
    await show(makeRecording(transcript, { job: makeJob({ progress }) }))
    expect(screen.getByRole('progressbar', { name: 'Progress' })).toHaveAttribute('aria-valuenow', '50')
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeEnabled()
  })

  it('says so beside what is translated so far, and not that nothing is yet', async () => {
    const latest = { ...road, speaker: 'Speaker A', translated_text: 'The road is closed', error: null }
    const progress = { current_segment: 1, total_segments: 2, latest_segment: latest, partial_text: 'closed' }
    await show(makeRecording(transcript, { job: makeJob({ progress }) }))
    expect(await screen.findByText('The road is closed')).toBeVisible()
    const half = screen.getByRole('region', { name: 'Translation' })
    expect(half).toHaveTextContent('Translating')
    expect(half).not.toHaveTextContent('Not yet')
  })

  it('into another language than the one on screen, this one has no translation yet', async () => {
    await show(makeRecording(transcript, { job: makeJob({ target_language: 'fa' }) }))
    expect(screen.getByRole('region', { name: 'Translation' })).toHaveTextContent('Not yet')
  })
})

describe('a translation', () => {
  it('has the pair of languages as its header, and is repeated on demand', async () => {
    const { user, sent } = await show(makeRecording(transcript, { translations: [makeTranslation()] }))
    expect(screen.getByText('Pashto → English')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Retranslate' }))
    expect(await sent(speakersKey)).toMatchObject({ force: true })
  })

  it('is copied and downloaded, as the transcript is', async () => {
    vi.stubGlobal('isSecureContext', true)
    const downloads = captureDownloads()
    const { user } = await show(makeRecording(transcript, { translations: [makeTranslation()] }))
    const texts = { translation: 'The road is closed', transcription: road.text }
    for (const [kind, text] of Object.entries(texts)) {
      await user.click(screen.getByRole('button', { name: `Copy ${kind}` }))
      await waitFor(async () => expect(await navigator.clipboard.readText()).toContain(text))
      await user.click(screen.getByRole('button', { name: `Download ${kind} as .txt` }))
      expect(await downloads.at(-1)?.content.text()).toContain(text)
    }
    expect(downloads.map(({ name }) => name)).toEqual(['call-en.txt', 'call-transcription.txt'])
  })

  it('of a call in two languages names both', async () => {
    const answer = makeSegment('good morning', { start: 4, end: 5, speaker: 'Speaker B', channel: 1 })
    const call = makeTranscript([makeSegment('سلام'), answer])
    await show(makeRecording(call, { translations: [makeTranslation()] }))
    expect(screen.getByText('Pashto, English → English')).toBeVisible()
  })

  it('into another language than the preferred one is shown at once', async () => {
    await show(makeRecording(transcript, { translations: [makeTranslation({ target_language: 'fa' })] }))
    expect(screen.getByText('Pashto → Persian')).toBeVisible()
  })

  it('of an earlier version is marked, and only what changed is translated', async () => {
    const earlier = makeTranslation({ transcription_id: '0123456789abcdef01234500' })
    const { user, sent } = await show(makeRecording(transcript, { translations: [earlier] }))
    await user.click(screen.getByRole('button', { name: 'Translate this version' }))
    expect(await sent(speakersKey)).toMatchObject({ force: false })
  })

  it('of lines that were changed since is marked, and only those are translated', async () => {
    const line_edits = {
      revision: 1,
      edits: [{ from: [1], revision: 1, lines: [{ ...road, text: 'سړک خلاص دی', speaker: 'Speaker A' }] }],
    }
    const { user, sent } = await show(makeRecording(transcript, { translations: [makeTranslation()], line_edits }))
    await user.click(screen.getByRole('button', { name: 'Translate the changed line' }))
    expect(await sent(speakersKey)).toMatchObject({ force: false })
  })

  it('without some lines says so, and retries them by the id of the transcript', async () => {
    const [hello] = makeTranslation().segments
    const refused = {
      ...road,
      translated_text: '',
      error: 'The model declined.',
      not_translated: { reason: 'refusal' as const },
    }
    const segments = [...(hello ? [hello] : []), refused]
    const translation = makeTranslation({
      segments,
      speaker_translations: [{ speaker: 'Speaker A', translated_text: 'Hello', error: null, segments }],
    })
    const { user, sent } = await show(makeRecording(transcript, { translations: [translation] }))
    expect(screen.getByText('One line was not translated.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Translate them again' }))
    expect(await sent(speakersKey)).toEqual({
      transcription_data: { transcription_id: transcript.transcription_id },
      target_language: 'en',
      retry: 'failed',
    })
  })

  it('offers no retry of single lines without speakers', async () => {
    const refused = { ...road, translated_text: '', error: 'The model declined.' }
    const translation = makeTranslation({ segments: [refused], speaker_translations: [] })
    await show(makeRecording(withoutSpeakers, { translations: [translation] }))
    expect(screen.getByText('One line was not translated.')).toBeVisible()
    expect(screen.queryByRole('button', { name: /again$/ })).toBeNull()
  })
})
