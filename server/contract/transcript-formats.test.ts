import { expect, test } from 'vitest'
import { formatTranscript } from './transcript-formats.ts'
import type { TranscriptDocument } from './formats/transcript-document.ts'
import type { Segment, TranscriptionResult } from './transcription.ts'
import { TranscriptionResult as TranscriptionSchema } from './transcription.ts'
import type { TranslatedSegment } from './translation.ts'

const rtl = (text: string) => `\u200F\u2067${text}\u2069`

const left: Segment = { start: 0.5, end: 2.25, text: 'زه نن غوسه یم', speaker: 'Speaker A', channel: 0 }
const right: Segment = { start: 3661.007, end: 3662, text: 'میرا دوست\nخوش ہے', speaker: 'Speaker B', channel: 1 }

function speaker(segment: Segment, language: string) {
  return {
    speaker: segment.speaker ?? '',
    channel: segment.channel ?? 0,
    transcription: segment.text,
    segment_count: 1,
    detected_language: language,
    language_probability: 0.97,
    segments: [segment],
  }
}

const call: TranscriptionResult = {
  transcription_id: null,
  transcription: 'text',
  detected_language: 'ps',
  language_probability: null,
  num_speakers: 2,
  segments: [left, right],
  speaker_transcriptions: [speaker(left, 'ps'), speaker(right, 'ur')],
  duration: 3700,
  model: 'demo-speech',
  warnings: [{ code: 'one_voice', message: 'Both channels hold the same voice.' }],
}

function translated(segment: Segment, text: string, error: string | null = null): TranslatedSegment {
  return { start: segment.start, end: segment.end, text: segment.text, translated_text: text, error }
}

const callInEnglish: TranscriptDocument = {
  name: 'call.wav',
  transcription: call,
  translation: {
    translated_text: 'i am angry today',
    original_text: 'text',
    source_language: 'ps',
    target_language: 'en',
    num_speakers: 2,
    speaker_translations: [
      { speaker: 'Speaker A', translated_text: '', error: null, segments: [translated(left, 'i am angry today')] },
      {
        speaker: 'Speaker B',
        translated_text: '',
        error: null,
        segments: [translated(right, '', 'The model failed.')],
      },
    ],
    segments: [],
    model: 'demo-translator',
  },
}

function single(text: string, language: string | null = 'en'): TranscriptDocument {
  const segments = [{ start: 0, end: 1, text }]
  const transcription = { ...call, num_speakers: 1, detected_language: language, segments, speaker_transcriptions: [] }
  return { name: null, transcription, translation: null }
}

test('formats a text file with speakers, times, originals and translations', () => {
  expect(formatTranscript('txt', callInEnglish)).toBe(`call.wav
Duration: 01:01:40
Languages: Pashto, Urdu
Translation: English
Note: Both channels hold the same voice.


Left Channel: Pashto (97%)
--------------------------
[00:00:00 - 00:00:02]
${rtl('زه نن غوسه یم')}
i am angry today


Right Channel: Urdu (97%)
-------------------------
[01:01:01 - 01:01:02]
${rtl('میرا دوست خوش ہے')}
Error: The model failed.
`)
})

test('writes models, settings and hashes at the end of the text file, after the words', () => {
  const made = {
    model_id: 'large',
    model_name: 'Whisper large',
    model_hash: 'ab'.repeat(32),
    engine: 'whisper.cpp',
    engine_version: '1.8',
    settings: { beam_size: 5 },
    created_at: '2026-11-22T08:00:00.000Z',
  }
  const text = formatTranscript('txt', { ...callInEnglish, transcription: { ...call, provenance: [made] } })
  const places = ['call.wav', 'i am angry today', 'Error: The model failed.', 'Whisper large', 'abab'].map((part) =>
    text.indexOf(part),
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('formats SubRip with speakers and the translation below', () => {
  expect(formatTranscript('srt', callInEnglish)).toBe(`1
00:00:00,500 --> 00:00:02,250
Left Channel: \u2067زه نن غوسه یم\u2069
i am angry today

2
01:01:01,007 --> 01:01:02,000
Right Channel: \u2067میرا دوست خوش ہے\u2069
`)
})

test('formats WebVTT with speakers in voice tags', () => {
  expect(formatTranscript('vtt', callInEnglish)).toBe(`WEBVTT

00:00:00.500 --> 00:00:02.250
<v Left Channel>${rtl('زه نن غوسه یم')}</v>
i am angry today

01:01:01.007 --> 01:01:02.000
<v Right Channel>${rtl('میرا دوست خوش ہے')}</v>
`)
})

test('includes both results unchanged and the names in JSON', () => {
  const parsed = JSON.parse(formatTranscript('json', callInEnglish))
  const speakers = [
    { speaker: 'Speaker A', name: 'Left Channel' },
    { speaker: 'Speaker B', name: 'Right Channel' },
  ]
  expect(parsed).toEqual({ ...callInEnglish, speakers })
  expect(TranscriptionSchema.parse(parsed.transcription)).toEqual(call)
})

test('replaces channels by given names in every format', () => {
  const named = {
    ...callInEnglish,
    corrections: { names: { 'Speaker A': 'احمد', 'Speaker B': 'Gul' }, merged: {}, moved: [] },
  }
  expect(formatTranscript('txt', named)).toContain('\n\u2068احمد\u2069: Pashto (97%)\n')
  expect(formatTranscript('txt', named)).toContain('\nGul: Urdu (97%)\n')
  expect(formatTranscript('srt', named)).toContain('\n\u200F\u2068احمد\u2069: \u2067زه نن غوسه یم\u2069\n')
  expect(formatTranscript('srt', named)).toContain('\nGul: \u2067میرا دوست خوش ہے\u2069\n')
  expect(formatTranscript('vtt', named)).toContain(`<v احمد>${rtl('زه نن غوسه یم')}</v>`)
  expect(JSON.parse(formatTranscript('json', named)).speakers).toEqual([
    { speaker: 'Speaker A', name: 'احمد' },
    { speaker: 'Speaker B', name: 'Gul' },
  ])
})

test('isolates the parts of a file name, and names of letters of both directions', () => {
  const named = {
    ...callInEnglish,
    name: '1168_پشاور_2026-10-01.mp3',
    corrections: { names: { 'Speaker A': 'احمد شاه (Kandahar)' }, merged: {}, moved: [] },
  }
  const file = '\u20681168_\u2068پشاور\u2069_2026-10-01.mp3\u2069'
  const speaker = '\u2068احمد شاه (Kandahar)\u2069'
  const text = formatTranscript('txt', named)
  expect(text.startsWith(`${file}\n`)).toBe(true)
  expect(text).toContain(`\n${speaker}: Pashto (97%)\n${'-'.repeat('احمد شاه (Kandahar): Pashto (97%)'.length)}\n`)
  expect(formatTranscript('srt', named)).toContain(`\n\u200F${speaker}: \u2067زه نن غوسه یم\u2069\n`)
  expect(formatTranscript('dialogue', named)).toContain(` ${speaker}: \u2067زه نن غوسه یم\u2069\n`)
  expect(JSON.parse(formatTranscript('json', named)).name).toBe('1168_پشاور_2026-10-01.mp3')
})

test('names several voices of one channel by their labels, and a gap between them by none', () => {
  const segments = [
    { start: 0, end: 1, text: 'one', speaker: 'Speaker A' },
    { start: 2, end: 3, text: 'two', speaker: 'Speaker B' },
  ]
  const transcription: TranscriptionResult = {
    ...call,
    segments,
    speaker_transcriptions: segments.map((segment) => speaker(segment, 'en')),
    warnings: [{ code: 'repetition', message: 'Not understood.', start: 10, end: 12 }],
  }
  const document = { name: null, transcription, translation: null }
  expect(formatTranscript('srt', document)).toContain('\nSpeaker A: one\n')
  expect(formatTranscript('txt', document, 'mark')).toMatch(
    /Speaker B: English \(97%\)\n-+\n\[.*\]\ntwo\n\n\n\[.*\]\n\[not understood\]\n$/,
  )
})

test('escapes what would be a tag or a cue timing in WebVTT', () => {
  expect(formatTranscript('vtt', single('a <b> & --> c'))).toContain('\na &lt;b&gt; &amp; --&gt; c\n')
})

test('neutralizes text that looks like a tag or a cue timing in SubRip', () => {
  const srt = formatTranscript('srt', single('<i>x</i> {\\an8} 1 --> 2 < 3'))
  expect(srt).not.toMatch(/<[/a-z]|\{\\|1 -->/u)
  expect(srt.replaceAll('\u2060', '')).toContain('<i>x</i> {\\an8} 1 --> 2 < 3')
})

test('writes a text of several lines as one cue', () => {
  expect(formatTranscript('srt', single('one\r\n\r\ntwo')).split('\n\n')).toHaveLength(1)
})

test('writes no cue for an empty segment, and none that ends where it begins', () => {
  const document = single('one')
  document.transcription.segments = [
    { start: 0, end: 1, text: ' ' },
    { start: 2, end: 2, text: 'two' },
  ]
  expect(formatTranscript('srt', document)).toBe('1\n00:00:02,000 --> 00:00:02,500\ntwo\n')
})

test('uses the first letter of a text for its direction when the language is unknown', () => {
  expect(formatTranscript('srt', single('سلام', null))).toContain('\n\u2068سلام\u2069\n')
  expect(formatTranscript('srt', single('hello', null))).toContain('\nhello\n')
})

test('marks the translation of a segment that was edited since', () => {
  const document = structuredClone(callInEnglish)
  const [first] = document.transcription.segments
  if (first) first.text = 'زه نن خپه یم'
  const txt = formatTranscript('txt', document)
  expect(txt).toContain(`${rtl('زه نن خپه یم')}\ni am angry today [outdated]\n`)
  expect(txt).toContain('\nNote: [outdated] follows translations of lines that were corrected since.\n')
  expect(formatTranscript('srt', document)).toContain('\ni am angry today [outdated]\n')
})

test('keeps apart the translations of speakers whose segments have the same times', () => {
  const document = structuredClone(callInEnglish)
  for (const segment of document.transcription.segments) Object.assign(segment, { start: 1, end: 2, text: 'هو' })
  document.translation?.speaker_translations.forEach(({ segments }, index) => {
    Object.assign(segments[0] ?? {}, { start: 1, end: 2, text: 'هو', translated_text: `yes ${index}`, error: null })
  })
  const srt = formatTranscript('srt', document)
  expect(srt).toMatch(/Left Channel: .*\nyes 0\n/u)
  expect(srt).toMatch(/Right Channel: .*\nyes 1\n/u)
})

test('reports a translation of a speaker that failed completely', () => {
  const document = structuredClone(callInEnglish)
  const second = document.translation?.speaker_translations[1]
  if (second) Object.assign(second, { error: 'No model speaks Urdu.', segments: [] })
  expect(formatTranscript('txt', document)).toContain('Error: No model speaks Urdu.')
})

test('writes a translation of the whole text at the end of the text file', () => {
  const { translation } = structuredClone(callInEnglish)
  const document = { ...single('سلام', 'ps'), translation: translation && { ...translation, speaker_translations: [] } }
  expect(formatTranscript('txt', document)).toMatch(/Translation\n-+\ni am angry today\n$/u)
})

test('reports a recording without speech', () => {
  const document = single('x')
  document.transcription.segments = []
  expect(formatTranscript('txt', document)).toContain('No speech was found.')
  expect(formatTranscript('vtt', document)).toBe('WEBVTT\n\n')
})

test('formats the complete text of a recording of one voice', () => {
  const { speaker: _speaker, channel: _channel, ...segment } = left
  const alone = { ...call, num_speakers: 1, segments: [segment], speaker_transcriptions: [speaker(segment, 'ps')] }
  const [entry] = alone.speaker_transcriptions
  const transcription = { ...alone, speaker_transcriptions: entry ? [{ ...entry, speaker: 'Speaker A' }] : [] }
  const text = formatTranscript('txt', { name: 'x', transcription, translation: null }, 'none')
  expect(text.split(rtl(left.text))).toHaveLength(2)
  expect(text).not.toContain('No speech was found')
})
