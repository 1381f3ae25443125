import { expect, test } from 'vitest'
import { formatTranscript } from './transcript-formats.ts'
import type { Segment, TranscriptionResult } from './transcription.ts'

function line(text: string, { start, uncertain = [], channel = 0 }: LineOptions): Segment {
  const words = text.split(' ').map((word) => ({
    text: word,
    start,
    end: start + 1,
    confidence: uncertain.includes(word) ? 0.2 : 0.9,
  }))
  return { start, end: start + 2, text, speaker: channel === 0 ? 'Speaker A' : 'Speaker B', channel, words }
}

interface LineOptions {
  start: number
  uncertain?: string[]
  channel?: 0 | 1
}

const doubtful = line('وسله کور ته راوړه', { start: 1, uncertain: ['وسله'] })
const certain = line('my brother is here', { start: 4, channel: 1 })

function speaker(channel: 0 | 1, language: string, segments: Segment[]) {
  return {
    speaker: channel === 0 ? 'Speaker A' : 'Speaker B',
    channel,
    transcription: '',
    segment_count: segments.length,
    detected_language: language,
    language_probability: null,
    segments,
  }
}

const call: TranscriptionResult = {
  transcription_id: null,
  transcription: '',
  detected_language: 'ps',
  language_probability: null,
  num_speakers: 2,
  segments: [doubtful, certain],
  speaker_transcriptions: [speaker(0, 'ps', [doubtful]), speaker(1, 'en', [certain])],
  duration: 20,
  model: 'demo-speech',
  warnings: [{ code: 'repetition', message: 'The model repeated itself.', start: 8, end: 9.5, channel: 1 }],
}

const document = { name: null, transcription: call, translation: null }

test('marks uncertain words in subtitles, and the passages that were not understood', () => {
  expect(formatTranscript('srt', document, 'mark')).toBe(`1
00:00:01,000 --> 00:00:03,000
Left Channel: \u2067وسله[?] کور ته راوړه\u2069

2
00:00:04,000 --> 00:00:06,000
Right Channel: my brother is here

3
00:00:08,000 --> 00:00:09,500
Right Channel: [not understood]
`)
  expect(formatTranscript('vtt', document, 'mark')).toContain('<v Right Channel>[not understood]</v>')
})

test('keeps the uncertain lines alone where only they are requested', () => {
  const srt = formatTranscript('srt', document, 'only')
  expect(srt).toContain('وسله[?]')
  expect(srt).toContain('[not understood]')
  expect(srt).not.toContain('my brother')
})

test('explains the mark in a text file, and names a speaker without uncertain words', () => {
  const text = formatTranscript('txt', { ...document, transcription: { ...call, warnings: [] } }, 'only')
  expect(text).toContain('Note: [?] follows what may be wrong.\nNote: This file holds the uncertain lines only.\n')
  expect(text).toMatch(/Right Channel: English\n-+\nNo uncertain lines\.\n$/u)
})

test('writes a gap into a text file without a translation', () => {
  const translation = {
    translated_text: '',
    original_text: '',
    source_language: 'ps',
    target_language: 'ur',
    num_speakers: 2,
    speaker_translations: [{ speaker: 'Speaker A', translated_text: '', error: null, segments: [] }],
    segments: [],
    model: 'demo',
  }
  const text = formatTranscript('txt', { ...document, translation }, 'mark')
  expect(text).toMatch(/\[00:00:08 - 00:00:09\]\n\[not understood\]\n$/u)
})

test('shows no doubt by default, and includes all of it in JSON', () => {
  expect(formatTranscript('srt', document)).not.toMatch(/\[\?\]|not understood/u)
  expect(formatTranscript('json', document, 'mark')).toBe(formatTranscript('json', document))
  expect(JSON.parse(formatTranscript('json', document)).transcription).toEqual(call)
})

test("writes a line of another language in that language's direction", () => {
  const segments = [{ ...certain, text: 'سلام', words: [], language: 'fa' }]
  const transcription = { ...call, segments, warnings: [] }
  expect(formatTranscript('srt', { ...document, transcription })).toContain('Right Channel: \u2067سلام\u2069')
})
