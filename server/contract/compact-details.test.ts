import { describe, expect, test } from 'vitest'
import { expandDetails, segmentsOf, type CompactDetails } from './compact-details.ts'
import { id } from './testing/inputs.ts'

const line = { start: 10.0004, end: 12, text: 'one two', speaker: 'Speaker A', channel: 0 }
const answer = { start: 12, end: 13, text: 'three', speaker: 'Speaker B', channel: 1 }
const voice = { channel: 0, segment_count: 1, detected_language: 'ps', language_probability: null }
const transcription = {
  transcription_id: id,
  detected_language: 'ps',
  language_probability: null,
  num_speakers: 2,
  segments: [{ ...line, word_times: [0, 50, 90, 10, 900, -1] }, answer],
  speaker_transcriptions: [
    { ...voice, speaker: 'Speaker A' },
    { ...voice, speaker: 'Speaker B', channel: 1 },
  ],
  duration: 20,
  model: 'base',
  warnings: [],
}
const translation = {
  transcription_id: id,
  source_language: 'ps',
  target_language: 'en',
  num_speakers: 2,
  model: 'base',
  segments: [{ translated_text: 'eins zwei' }, { translated_text: 'drei' }],
  speaker_translations: [
    { speaker: 'Speaker A', steps: [1] },
    { speaker: 'Speaker B', steps: [2] },
  ],
}
const details: CompactDetails = {
  id,
  name: 'call.wav',
  size: 1,
  duration: 20,
  channels: 2,
  is_stereo: true,
  peaks: [],
  language: 'ps',
  languages: ['ps'],
  transcription_id: id,
  target_languages: ['en'],
  job: null,
  created_at: '2026-01-02T03:04:05.000Z',
  access: 'owner',
  transcription,
  translations: [translation],
  diarization: {
    num_speakers: 2,
    dialogue_timeline: [
      { speaker: 'Speaker A' },
      { speaker: 'Speaker B', timestamp: 12.5, text: 'tree' },
      { speaker: 'C' },
    ],
  },
  line_edits: { revision: 0, edits: [] },
  transcription_request: null,
  version_count: 1,
  speaker_corrections: { names: {}, merged: {}, moved: [] },
  speaker_corrections_version: 0,
}

describe('compact details', () => {
  test('have the words with times and confidences, none beyond the line', () => {
    expect(expandDetails(details).transcription?.segments[0]?.words).toEqual([
      { text: 'one', start: 10, end: 10.5, confidence: 0.9 },
      { text: 'two', start: 10.6, end: 12 },
    ])
  })

  test('have what a word list changed at its word', () => {
    const corrected = {
      ...line,
      word_times: [0, 50, 90, 10, 90, -1],
      word_corrections: [{ word: 1, heard: 'too', written: 'two' }],
    }
    const expanded = expandDetails({ ...details, transcription: { ...transcription, segments: [corrected, answer] } })
    const [segment] = expanded.transcription?.segments ?? []
    expect(segment?.words?.map(({ correction }) => correction)).toEqual([undefined, { heard: 'too', written: 'two' }])
    expect(segment).not.toHaveProperty('word_corrections')
  })

  test('have the text of all and of each speaker', () => {
    const whole = expandDetails(details).transcription
    expect(whole?.transcription).toBe('one two\nthree')
    expect(whole?.speaker_transcriptions.map((entry) => entry.transcription)).toEqual(['one two', 'three'])
    expect(whole?.speaker_transcriptions[1]?.segments).toEqual([answer])
  })

  test('have the lines that were translated, one after the other', () => {
    const [whole] = expandDetails(details).translations
    expect(whole?.segments).toEqual([
      { start: 10.0004, end: 12, text: 'one two', translated_text: 'eins zwei', error: null },
      { start: 12, end: 13, text: 'three', translated_text: 'drei', error: null },
    ])
    expect(whole).toMatchObject({ translated_text: 'eins zwei\ndrei', original_text: 'one two\nthree' })
    expect(whole?.speaker_translations).toEqual([
      { speaker: 'Speaker A', translated_text: 'eins zwei', error: null, segments: [whole?.segments[0]] },
      { speaker: 'Speaker B', translated_text: 'drei', error: null, segments: [whole?.segments[1]] },
    ])
  })

  test('name a line that is out of order, and one with its own times', () => {
    const segments = [
      { translated_text: 'drei', line: 1 },
      { translated_text: 'x' },
      { translated_text: 'vier', start: 1, end: 2, text: 'four', error: 'It failed' },
      { translated_text: 'eins', start: 1, line: 0 },
    ]
    const [whole] = expandDetails({ ...details, translations: [{ ...translation, segments }] }).translations
    expect(whole?.segments.map(({ start, end, text, error }) => [start, end, text, error])).toEqual([
      [12, 13, 'three', null],
      [0, 0, '', null],
      [1, 2, 'four', 'It failed'],
      [10.0004, 12, 'one two', null],
    ])
  })

  test('have turns that are lines, or say what they are', () => {
    expect(expandDetails(details).diarization?.dialogue_timeline).toEqual([
      { speaker: 'Speaker A', timestamp: 10.0004, text: 'one two' },
      { speaker: 'Speaker B', timestamp: 12.5, text: 'tree' },
      { speaker: 'C', timestamp: 0, text: '' },
    ])
  })

  test('of a recording without results have none', () => {
    const whole = expandDetails({ ...details, transcription: null, translations: [], diarization: null })
    expect(whole).toMatchObject({ transcription: null, translations: [], diarization: null })
  })
})

test('lines that name no speaker are of each', () => {
  const unnamed = { start: 0, end: 1, text: 'a' }
  expect(segmentsOf('Speaker B', [unnamed, line, answer])).toEqual([unnamed, answer])
})
