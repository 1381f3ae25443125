import { expect, it } from 'vitest'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import type { TranslationResult } from '#contract/translation.ts'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { createDescriber } from '../speakers/describe-speaker.ts'
import { transcriptText, translationText } from './copy-text.ts'

const right = { speaker: 'Speaker B', channel: 1 }
const call = makeTranscript([
  makeSegment('سلام زما', { start: 3, end: 5 }),
  makeSegment('ملګریه', { start: 5, end: 6 }),
  makeSegment('hello', { start: 192, end: 193, ...right }),
  makeSegment('brother', { start: 193, end: 194, ...right }),
])
const describe = createDescriber(call, noSpeakerCorrections)

const translation: TranslationResult = {
  translated_text: 'everything',
  original_text: '',
  source_language: 'ps',
  target_language: 'en',
  num_speakers: 2,
  speaker_translations: [],
  segments: call.segments.slice(0, 3).map(({ start, end, text }, index) => ({
    start,
    end,
    text,
    translated_text: ['hello my', 'friend', ''][index] ?? '',
    error: index === 2 ? 'The model failed.' : null,
  })),
  model: 'test',
}

it('copies times and speakers, and keeps adjacent lines apart', () => {
  expect(transcriptText(call, describe)).toBe(
    '[00:00:03] Left Channel: \u2067سلام زما ملګریه\u2069\n\n[00:03:12] Right Channel: hello brother',
  )
})

it('copies the names that were given', () => {
  const named = createDescriber(call, { names: { 'Speaker B': 'Gul' }, merged: {} })
  expect(transcriptText(call, named)).toContain('[00:03:12] Gul: hello brother')
})

it('copies a translation with times and speakers, and says what failed', () => {
  expect(translationText(translation, call, describe)).toBe(
    '[00:00:03] Left Channel: hello my friend\n\n[00:03:12] Right Channel: Error: The model failed.',
  )
})

it('copies texts without lines as they are', () => {
  expect(transcriptText(makeTranscript([], { transcription: 'No speech was detected.' }), describe)).toBe(
    'No speech was detected.',
  )
  expect(translationText({ ...translation, segments: [] }, call, describe)).toBe('everything')
})
