import { expect, test, vi } from 'vitest'
import type { StoredTranslation } from '#contract/entities/recording.ts'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { editableSegments, noLineEdits, type LineEdits } from '#contract/line-edits.ts'
import type { Segment } from '#contract/transcription.ts'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { makeTranslation } from '../../../testing/translations.ts'
import { buildLines, type LineSources } from './build-lines.ts'

const first = makeSegment('وسله راوړه', { start: 1, end: 3 })
const second = makeSegment('bring the bomb', { start: 4, end: 6, speaker: 'Speaker B', channel: 1 })

interface BuildOptions extends Partial<LineSources> {
  spoken?: Segment[]
  edits?: LineEdits
}

function build({ spoken = [first, second], edits = noLineEdits, ...sources }: BuildOptions = {}) {
  const transcription = sources.transcription ?? makeTranscript(spoken)
  return buildLines({
    segments: editableSegments(transcription, edits),
    translation: null,
    find: () => [],
    partial: [],
    ...sources,
    transcription,
  })
}

function translate(segments: Segment[], overrides: Partial<StoredTranslation> = {}): StoredTranslation {
  return makeTranslation(
    segments.map((segment) => ({ ...segment, translated_text: `${segment.text} in English` })),
    overrides,
  )
}

test('lines, gaps and lines that arrive are in order of time, each with an id of its own', () => {
  const gap = { code: 'repetition', message: 'The model repeated itself.', start: 7, end: 9, channel: 0 }
  const arriving: Segment = { start: 3.5, end: 4, text: 'salaam', channel: 1 }
  const lines = build({ transcription: makeTranscript([first, second], { warnings: [gap] }), partial: [arriving] })
  expect(lines.map(({ start }) => start)).toEqual([1, 3.5, 4, 7])
  expect(lines.map(({ isPartial }) => isPartial)).toEqual([false, true, false, false])
  expect(lines[3]).toMatchObject({ segment: null, gap: { message: 'The model repeated itself.' } })
  expect(new Set(lines.map(({ id }) => id)).size).toBe(4)
})

test('two lines of one start have different ids, and keep them when built again', () => {
  const together = [first, { ...second, start: 1 }, { start: 1, end: 2, text: 'so' }]
  const ids = build({ spoken: together }).map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  expect(build({ spoken: together }).map(({ id }) => id)).toEqual(ids)
})

test('a line has the language of its speaker, or its own', () => {
  const lines = build({ spoken: [first, second, makeSegment('hello', { start: 8, end: 9, language: 'en' })] })
  expect(lines.map(({ language }) => language)).toEqual(['ps', 'en', 'en'])
})

test('a line that arrives has the language that is asked for', () => {
  const [line] = build({
    spoken: [],
    partial: [{ start: 1, end: 2, text: 'سلام', channel: 0 }],
    partialLanguageOf: () => 'ps',
  })
  expect(line).toMatchObject({ language: 'ps', isPartial: true })
})

test('a translation is found by time and speaker where two speakers begin together', () => {
  const both = [first, { ...second, start: 1, end: 3 }]
  const lines = build({ spoken: both, translation: translate(both.toReversed()) })
  expect(lines.map(({ translated }) => translated?.translated_text)).toEqual([
    'وسله راوړه in English',
    'bring the bomb in English',
  ])
  expect(lines.map(({ isTranslationStale }) => isTranslationStale)).toEqual([false, false])
})

test('a translation of a line that was given to another speaker since is not stale', () => {
  const [line] = build({ spoken: [{ ...first, speaker: 'Speaker B' }], translation: translate([first]) })
  expect(line).toMatchObject({ isTranslationStale: false, translated: { text: 'وسله راوړه' } })
})

test('a translation of another text is stale', () => {
  const edits = {
    revision: 1,
    edits: [{ from: [1], lines: [{ start: 4, end: 6, text: 'bring the bond' }], revision: 1 }],
  }
  const lines = build({ edits, translation: translate([first, second]) })
  expect(lines.map(({ isTranslationStale }) => isTranslationStale)).toEqual([false, true])
})

test('a translation of another version is stale', () => {
  const [line] = build({ translation: translate([first], { transcription_id: 'ffffffffffffffffffffffff' }) })
  expect(line).toMatchObject({ isTranslationStale: true })
})

test('both halves of a line that was split have its translation, as stale', () => {
  const halves = [
    { start: 4, end: 5, text: 'bring', speaker: 'Speaker B' },
    { start: 5, end: 6, text: 'the bomb', speaker: 'Speaker B' },
  ]
  const edits = { revision: 1, edits: [{ from: [1], lines: halves, revision: 1 }] }
  const lines = build({ edits, translation: translate([first, second]) })
  expect(lines.map(({ isTranslationStale }) => isTranslationStale)).toEqual([false, true, true])
})

test('the lines of a speaker whose translation failed as a whole have its error', () => {
  const translation = translate([first])
  translation.speaker_translations.push({
    speaker: 'Speaker B',
    translated_text: '',
    error: 'No model knows the language',
    segments: [],
  })
  expect(build({ translation })[1]?.translated).toMatchObject({ error: 'No model knows the language' })
})

test('keywords are found in both texts, and a text is scanned once', () => {
  const find = vi.fn(createKeywordMatcher({ ...noKeywords(), threats: ['bomb'] }))
  const [, line] = build({ find, translation: translate([first, second]) })
  expect(line?.hits.original).toMatchObject([{ keyword: 'bomb', start: 10 }])
  expect(line?.hits.translation).toMatchObject([{ keyword: 'bomb', start: 10 }])
  expect(find).toHaveBeenCalledTimes(4)
  const edits = { revision: 1, edits: [{ from: [0], lines: [{ start: 1, end: 3, text: 'وسله' }], revision: 1 }] }
  build({ find, edits, translation: translate([first, second]) })
  expect(find).toHaveBeenCalledTimes(5)
})
