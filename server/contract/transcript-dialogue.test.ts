import { expect, test } from 'vitest'
import type { TranscriptDocument } from './formats/transcript-document.ts'
import { formatTranscript } from './transcript-formats.ts'
import type { Segment, TranscriptionResult } from './transcription.ts'

const rtl = (text: string) => `\u200F\u2067${text}\u2069`

function call(segments: Segment[], overrides: Partial<TranscriptionResult> = {}): TranscriptDocument {
  const labels = [...new Set(segments.flatMap(({ speaker }) => speaker ?? []))]
  return {
    name: 'call.wav',
    translation: null,
    transcription: {
      transcription_id: null,
      transcription: '',
      detected_language: 'ps',
      language_probability: null,
      num_speakers: labels.length || 1,
      segments,
      speaker_transcriptions: labels.map((speaker, channel) => ({
        speaker,
        channel,
        transcription: '',
        segment_count: 1,
        detected_language: channel === 0 ? 'ps' : 'en',
        language_probability: null,
        segments: segments.filter((segment) => segment.speaker === speaker),
      })),
      duration: 200,
      model: 'demo',
      warnings: [],
      ...overrides,
    },
  }
}

const line = (start: number, text: string, speaker?: string): Segment => ({
  start,
  end: start + 2,
  text,
  ...(speaker && { speaker, channel: speaker === 'Speaker A' ? 0 : 1 }),
})

const paragraphs = (document: TranscriptDocument) =>
  formatTranscript('dialogue', document).split('\n\n\n')[1]?.trimEnd()

test('has a paragraph for each turn, with time and speaker, in order of time', () => {
  const document = call([
    line(3, 'سلام', 'Speaker A'),
    line(5, 'زما ملګریه', 'Speaker A'),
    line(192, 'hello my brother', 'Speaker B'),
  ])
  expect(paragraphs(document)).toBe(
    '[00:00:03] Left Channel: \u2067سلام زما ملګریه\u2069\n\n[00:03:12] Right Channel: hello my brother',
  )
})

test('runs a line from the right where the name does too', () => {
  const document = call([line(3, 'سلام', 'Speaker A'), line(8, 'hello', 'Speaker B')])
  document.corrections = { names: { 'Speaker A': 'احمد' }, merged: {}, moved: [] }
  expect(paragraphs(document)).toContain('\u200F[00:00:03] \u2068احمد\u2069: \u2067سلام\u2069\n')
})

test('has the translation below each turn, and says what is missing or outdated', () => {
  const document = call([
    line(0, 'سلام', 'Speaker A'),
    line(2, 'زه نن', 'Speaker A'),
    line(4, 'غوسه', 'Speaker A'),
    line(9, 'ok', 'Speaker B'),
  ])
  const translated = (start: number, text: string, translated_text: string, error: string | null = null) => ({
    start,
    end: start + 2,
    text,
    translated_text,
    error,
  })
  document.translation = {
    translated_text: '',
    original_text: '',
    source_language: 'ps',
    target_language: 'en',
    num_speakers: 1,
    speaker_translations: [],
    segments: [
      translated(0, 'سلام', 'hello'),
      translated(2, 'زه', 'today i'),
      translated(4, 'غوسه', '', 'The model failed.'),
    ],
    model: 'demo',
  }
  expect(paragraphs(document)).toBe(
    `[00:00:00] Left Channel: \u2067سلام زه نن غوسه\u2069
hello today i [outdated]
Error: The model failed.

[00:00:09] Right Channel: ok
No translation available`,
  )
})

test('names no speaker where there is one voice, and begins a new paragraph after a pause and after a minute', () => {
  const steady = Array.from({ length: 40 }, (_, index) => line(index * 2, 'سلام'))
  const document = call([...steady, line(100, 'بیا')])
  const shown = paragraphs(document)?.split('\n\n') ?? []
  expect(shown.map((paragraph) => /\[(.*)\]/.exec(paragraph)?.[1])).toEqual(['00:00:00', '00:01:00', '00:01:40'])
  expect(shown[2]).toBe(`\u200F[00:01:40] ${rtl('بیا').slice(1)}`)
})

test('ends with the notes', () => {
  const document = call([line(0, 'سلام')])
  const note = { id: '1', created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
  document.notes = [
    { ...note, time: 61, text: 'who is\nthis?' },
    { ...note, time: 62, text: '' },
  ]
  expect(formatTranscript('dialogue', document)).toMatch(
    /\n\n\nNotes\n-----\n\[00:01:01\] who is this\?\n\[00:01:02\] \(bookmark\)\n$/,
  )
})

test('quotes the words of flagged lines below their notes', () => {
  const document = call([line(0, 'سلام')])
  const note = { id: '1', created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
  document.notes = [
    { ...note, time: 61, text: 'who?', line: { end: 62, text: 'is he there' } },
    { ...note, time: 62, text: '', line: { end: 63, text: 'yes' } },
  ]
  expect(formatTranscript('dialogue', document)).toMatch(
    /\[00:01:01\] who\?\n {4}“is he there”\n\[00:01:02\] \(flag\)\n {4}“yes”\n$/,
  )
})

test('says that no speech was found', () => {
  expect(formatTranscript('dialogue', call([]))).toContain('\n\n\nNo speech was found.\n')
})
