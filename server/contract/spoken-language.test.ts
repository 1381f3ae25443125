import { expect, test } from 'vitest'
import { spokenLanguages } from './spoken-language.ts'

const line = { start: 0, end: 1, text: 'سلام', speaker: 'Speaker A', channel: 0 }
const speakerOf = (language: string, lines: (typeof line)[]) => ({
  speaker: 'Speaker A',
  channel: 0,
  transcription: lines.map(({ text }) => text).join('\n'),
  segment_count: lines.length,
  detected_language: language,
  language_probability: null,
  segments: lines,
})

test('the languages of a transcription are those of its speakers, the main one first', () => {
  const speaker_transcriptions = [speakerOf('en', [line]), speakerOf('ur', [])]
  expect(spokenLanguages({ detected_language: 'ps', segments: [line], speaker_transcriptions })).toEqual(['ps', 'en'])
})

test('nothing is spoken in a recording without speech, whatever language was asked for', () => {
  const speaker_transcriptions = [speakerOf('ps', [])]
  expect(spokenLanguages({ detected_language: 'ps', segments: [], speaker_transcriptions })).toEqual([])
})
