import { expect, test } from 'vitest'
import type { KeywordHit } from '#contract/keywords/find-keywords.ts'
import { makeSegment } from '../../../testing/transcripts.ts'
import { listDoubts, splitText } from './split-text.ts'

const text = 'bring the bomb tomorrow'
const hit: KeywordHit = { category: 'threats', keyword: 'bomb', start: 10, end: 14 }

function summarize(parts: ReturnType<typeof splitText>) {
  return parts.map((part) => [part.hit?.keyword ?? null, ...part.pieces.map((piece) => piece.text)])
}

test('a text without marks is one piece', () => {
  expect(splitText(text, { hits: [] })).toEqual([{ hit: null, pieces: [{ text, confidence: null, match: null }] }])
})

test('a keyword is a part of its own', () => {
  expect(summarize(splitText(text, { hits: [hit] }))).toEqual([
    [null, 'bring the '],
    ['bomb', 'bomb'],
    [null, ' tomorrow'],
  ])
})

test('a match over the edge of a keyword is split there, and known by its number on both sides', () => {
  const parts = splitText(text, {
    hits: [hit],
    matches: [
      { start: 0, end: 1 },
      { start: 6, end: 12 },
    ],
  })
  expect(summarize(parts)).toEqual([
    [null, 'b', 'ring ', 'the '],
    ['bomb', 'bo', 'mb'],
    [null, ' tomorrow'],
  ])
  expect(parts.flatMap(({ pieces }) => pieces.map(({ match }) => match))).toEqual([0, null, 1, 1, null, null])
})

test('an uncertain word has its confidence', () => {
  const segment = makeSegment(text, { unsure: ['bomb'] })
  expect(listDoubts(segment)).toEqual([{ start: 10, end: 14, confidence: 0.2 }])
  const [, part] = splitText(text, { hits: [hit], doubts: listDoubts(segment) })
  expect(part?.pieces).toEqual([{ text: 'bomb', confidence: 0.2, match: null }])
})

test('a line that is uncertain in no word more than in another is uncertain as a whole', () => {
  expect(listDoubts(makeSegment(text, { confidence: 0.3 }))).toEqual([{ start: 0, end: text.length, confidence: 0.3 }])
  expect(listDoubts(makeSegment(text))).toEqual([])
})

test('what a word list changed is known in each of its pieces', () => {
  const correction = { heard: 'bum', written: 'the bomb', start: 6, end: 14 }
  const parts = splitText(text, { hits: [hit], corrections: [correction] })
  expect(summarize(parts)).toEqual([
    [null, 'bring ', 'the '],
    ['bomb', 'bomb'],
    [null, ' tomorrow'],
  ])
  expect(parts.flatMap(({ pieces }) => pieces.map((piece) => piece.correction))).toEqual([
    undefined,
    correction,
    correction,
    undefined,
  ])
})
