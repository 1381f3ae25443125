import { expect, test } from 'vitest'
import { createKeywordMatcher } from '#contract/keywords/find-keywords.ts'
import { noKeywords } from '#contract/keywords/keywords.ts'
import { noSpeakerCorrections } from '#contract/speaker-corrections.ts'
import { makeSegment, makeTranscript } from '../../../testing/transcripts.ts'
import { createDescriber } from '../speakers/describe-speaker.ts'
import { buildLines } from '../state/build-lines.ts'
import { filterLines, noFilter, type LineFilter } from './filter-lines.ts'
import { listItems } from './list-items.ts'

const gap = { code: 'repetition', message: 'The model repeated itself.', start: 10, end: 14, channel: 1 }
const transcription = makeTranscript(
  [
    makeSegment('a bomb', { start: 1, end: 2 }),
    makeSegment('the bomb', { start: 3, end: 4, speaker: 'Speaker B', channel: 1 }),
    makeSegment('perhaps', { start: 5, end: 6, unsure: ['perhaps'] }),
  ],
  { warnings: [gap] },
)
const describe = createDescriber(transcription, noSpeakerCorrections)
const lines = buildLines({
  segments: transcription.segments.map((segment, index) => ({ ...segment, from: [index] })),
  transcription,
  translation: null,
  find: createKeywordMatcher({ ...noKeywords(), threats: ['bomb'] }),
  partial: [],
})

function startsOf(filter: Partial<LineFilter>) {
  return filterLines(lines, { ...noFilter, ...filter }, describe).map(({ start }) => start)
}

test('without a filter it is the same list', () => {
  expect(filterLines(lines, noFilter, describe)).toBe(lines)
})

test('lines and gaps of the chosen speakers are left', () => {
  expect(startsOf({ speakers: ['Speaker B'] })).toEqual([3, 10])
  expect(startsOf({ speakers: ['Speaker A', 'Speaker B'] })).toEqual([1, 3, 5, 10])
})

test('lines with hits, uncertain lines and gaps, or lines that are both are left', () => {
  expect(startsOf({ isOnlyHits: true })).toEqual([1, 3])
  expect(startsOf({ isOnlyUncertain: true })).toEqual([5, 10])
  expect(startsOf({ isOnlyHits: true, isOnlyUncertain: true })).toEqual([])
})

test('by speaker, the lines of each follow a heading', () => {
  const items = listItems({ lines, order: 'speaker', transcription, describe })
  expect(items.map(({ line, speaker }) => line?.start ?? speaker?.speaker)).toEqual([
    'Speaker A',
    1,
    5,
    'Speaker B',
    3,
    10,
  ])
})

test('by speaker, lines of nobody known come last', () => {
  const [known] = lines
  if (!known) throw new Error('There are lines')
  const unknown = { ...known, id: 'unknown', segment: { start: 0, end: 1, text: 'who', from: [9] } }
  const items = listItems({ lines: [unknown, ...lines], order: 'speaker', transcription, describe })
  expect(items.at(-1)?.id).toBe('unknown')
})
