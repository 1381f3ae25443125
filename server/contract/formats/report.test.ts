import { expect, test } from 'vitest'
import { createKeywordMatcher } from '../keywords/find-keywords.ts'
import { noKeywords } from '../keywords/keywords.ts'
import type { Segment } from '../transcription.ts'
import { buildReport } from './report.ts'
import { createText, splitByDirection } from './report-text.ts'
import type { TranscriptDocument } from './transcript-document.ts'

const find = createKeywordMatcher({ ...noKeywords(), threats: ['bomb'], intent: ['bridge', 'پل'] })
const word = (text: string, confidence = 0.9) => ({ text, start: 0, end: 1, confidence })

const left: Segment = {
  start: 3,
  end: 5,
  text: 'پل ته ځو',
  speaker: 'Speaker A',
  channel: 0,
  words: [word('پل'), word('ته', 0.1), word('ځو')],
}
const right: Segment = { start: 6, end: 7, text: 'the bomb', speaker: 'Speaker B', channel: 1 }

function document(overrides: Partial<TranscriptDocument> = {}): TranscriptDocument {
  const speakers = [left, right].map((segment, channel) => ({
    speaker: segment.speaker ?? '',
    channel,
    transcription: segment.text,
    segment_count: 1,
    detected_language: channel === 0 ? 'ps' : 'en',
    language_probability: 0.9,
    segments: [segment],
  }))
  return {
    name: 'call.wav',
    transcription: {
      transcription_id: null,
      transcription: '',
      detected_language: 'ps',
      language_probability: 0.9,
      num_speakers: 2,
      segments: [left, right],
      speaker_transcriptions: speakers,
      duration: 8,
      model: 'demo',
      warnings: [],
    },
    translation: null,
    ...overrides,
  }
}

const factsOf = (options: Partial<TranscriptDocument>) =>
  Object.fromEntries(
    buildReport(document(options), { doubt: 'none', find: null }).facts.map(({ label, lines }) => [label, lines]),
  )

test('splits a text at keywords and uncertain words, which together are the text', () => {
  const { rows, categories, hasUncertainWords } = buildReport(document(), { doubt: 'mark', find })
  expect(rows[0]?.original).toEqual({
    language: 'ps',
    direction: 'rtl',
    pieces: [{ text: 'پل', category: 'intent' }, { text: ' ' }, { text: 'ته', isUncertain: true }, { text: ' ځو' }],
  })
  expect(categories).toEqual(['threats', 'intent'])
  expect(hasUncertainWords).toBe(true)
})

test('marks neither keywords nor doubt where they are not wanted', () => {
  const { rows, categories } = buildReport(document(), { doubt: 'none', find: null })
  expect(rows.map(({ original }) => original.pieces)).toEqual([[{ text: 'پل ته ځو' }], [{ text: 'the bomb' }]])
  expect(categories).toEqual([])
})

test('marks tens of thousands of keywords of one text in little time', () => {
  const begin = performance.now()
  const { pieces } = createText('a bomb, '.repeat(40_000), { language: 'en', find })
  expect(pieces.filter(({ category }) => category === 'threats')).toHaveLength(40_000)
  expect(performance.now() - begin).toBeLessThan(5_000)
})

test('underlines a line that is uncertain as a whole', () => {
  const line = { ...right, confidence: 0.3 }
  const { transcription } = document()
  const { rows } = buildReport(document({ transcription: { ...transcription, segments: [line] } }), {
    doubt: 'only',
    find,
  })
  expect(rows[0]?.original.pieces).toEqual([
    { text: 'the ', isUncertain: true },
    { text: 'bomb', category: 'threats', isUncertain: true },
  ])
})

test('says which lines were edited, and which translations are of an earlier text', () => {
  const segments = [left, { ...right, text: 'the bomb!' }].map(({ start, end, text }) => ({
    start,
    end,
    text,
    translated_text: `to ${text}`,
    error: null,
  }))
  const report = buildReport(
    document({
      edited_lines: [{ start: 6, end: 7, text: 'the bomb', written_text: 'the bum' }],
      translation: {
        translated_text: '',
        original_text: '',
        source_language: 'ps',
        target_language: 'ur',
        num_speakers: 2,
        speaker_translations: [],
        segments,
        model: 'demo',
      },
    }),
    { doubt: 'none', find: null },
  )
  expect(report.rows.map(({ isEdited, isTranslationStale }) => [isEdited, isTranslationStale])).toEqual([
    [false, false],
    [true, true],
  ])
  expect(report.targetLanguage).toEqual({ code: 'ur', name: 'Urdu' })
})

test('has the facts that are known, in their order', () => {
  const provenance = [
    {
      model_id: 'base',
      model_name: 'Whisper base',
      model_hash: 'ab'.repeat(32),
      engine: 'whisper.cpp',
      engine_version: '1.9.3',
      settings: {
        languages: ['ps', 'en'],
        decoding: { ps: { beamSize: 5, prompt: 'x'.repeat(100) } },
        // Readers of a report must not learn that the recording is in this case.
        word_lists: ['case 5f00 revision 3'],
      },
      created_at: '2026-01-02T03:04:05.000Z',
    },
  ]
  const { transcription } = document()
  const facts = factsOf({
    transcription: { ...transcription, provenance },
    version: { transcription_id: 'x', number: 2, count: 3, finished_at: null },
    audio: { sha256: 'cd'.repeat(32), size: 1, duration: 8, uploaded_at: '2026-01-01T00:00:00.000Z' },
    edited_lines: [],
    exported_at: '2026-02-03T04:05:06.000Z',
    corrections: { names: { 'Speaker A': 'احمد' }, merged: {}, moved: [] },
  })
  expect(Object.entries(facts)).toEqual([
    ['File', ['call.wav']],
    ['Duration', ['00:00:08']],
    ['Languages', ['\u2068احمد\u2069: Pashto (90%)', 'Right Channel: English (90%)']],
    [
      'Transcribed by',
      ['Whisper base · whisper.cpp 1.9.3', `SHA-256 ${'ab'.repeat(32)}`, 'languages: ps, en · ps beamSize: 5'],
    ],
    ['Transcribed', ['2026-01-02 03:04 UTC']],
    ['Version', ['2 of 3']],
    ['Edited lines', ['0 of 2']],
    ['SHA-256 of the audio', ['cd'.repeat(32)]],
    ['Exported', ['2026-02-03 04:05 UTC']],
  ])
})

test('names of files and speakers in the facts are isolated, and so are the parts of a file name', () => {
  const facts = factsOf({
    name: '1168_پشاور_2026-10-01.mp3',
    corrections: { names: { 'Speaker A': 'احمد شاه (Kandahar)' }, merged: {}, moved: [] },
  })
  expect(facts.File).toEqual(['\u20681168_\u2068پشاور\u2069_2026-10-01.mp3\u2069'])
  expect(facts.Languages?.[0]).toBe('\u2068احمد شاه (Kandahar)\u2069: Pashto (90%)')
})

test('what is to be known of the whole recording before reading is no fact among others', () => {
  const { transcription } = document()
  const message = 'The right channel is silent.'
  const warnings = [
    { code: 'silent_channel' as const, message },
    { code: 'not_understood' as const, message: 'Of one passage', start: 1, end: 2 },
  ]
  const { cautions, facts } = buildReport(document({ transcription: { ...transcription, warnings } }), {
    doubt: 'none',
    find: null,
  })
  expect(cautions).toEqual([message])
  expect(JSON.stringify(facts)).not.toContain(message)
})

test('gives a text of unknown language the direction of its first letter', () => {
  const directions = ['1. سلام', 'hello سلام', ''].map((text) => createText(text, { language: null, find }).direction)
  expect(directions).toEqual(['rtl', 'ltr', 'ltr'])
})

test.each([
  ['a text of one direction stays whole', 'سلام، 25 کسه.', 'rtl', ['سلام، 25 کسه.']],
  ['Latin words are apart, without the blanks around them', 'پل Office Park ته', 'rtl', ['پل ', 'Office Park', ' ته']],
  ['a text may end in the other direction', 'near بازار.', 'ltr', ['near ', 'بازار', '.']],
  ['a text may begin in the other direction', 'Office ته', 'rtl', ['Office', ' ته']],
] as const)('%s', (_name, text, direction, pieces) => {
  expect(splitByDirection(text, direction).map((stretch) => stretch.text)).toEqual(pieces)
})

test('has no line of settings where none is short and plain', () => {
  const provenance = {
    model_id: 'base',
    model_name: 'Whisper base',
    model_hash: null,
    engine: 'whisper.cpp',
    engine_version: null,
    settings: { prompt: 'x'.repeat(61), beams: [], languages: [{}], best: null },
    created_at: '2026-01-02T03:04:05.000Z',
  }
  const { transcription } = document()
  const facts = factsOf({ transcription: { ...transcription, provenance: [provenance] } })
  expect(facts['Transcribed by']).toEqual(['Whisper base · whisper.cpp'])
})
