import { describe, expect, test } from 'vitest'
import type { KeywordHit } from './find-keywords.ts'
import type { KeywordCategory } from './keywords.ts'
import { pairHits, timeAtOffset } from './pair-hits.ts'

const hit = (category: KeywordCategory, start: number): KeywordHit => ({
  category,
  keyword: 'word',
  start,
  end: start + 4,
})

describe('the hits of a line and its translation', () => {
  test('are none where nothing was found', () => {
    expect(pairHits({ original: [], translation: [] })).toEqual([])
  })

  test('are those of one text where the other has none', () => {
    const only = hit('custom', 3)
    expect(pairHits({ original: [only], translation: [] })).toEqual([{ original: only, translation: null }])
    expect(pairHits({ original: [], translation: [only] })).toEqual([{ original: null, translation: only }])
  })

  test('are one where a category is found in both', () => {
    const [original, translation] = [hit('threats', 0), hit('threats', 9)]
    expect(pairHits({ original: [original], translation: [translation] })).toEqual([{ original, translation }])
  })

  test('are paired by category and order, and stand in the order of the line, those of the translation last', () => {
    const original = [hit('intent', 2), hit('threats', 10), hit('threats', 20)]
    const translation = [hit('threats', 0), hit('custom', 30), hit('sentiment', 5)]
    expect(
      pairHits({ original, translation }).map((pair) => [
        pair.original?.category ?? null,
        pair.original?.start ?? null,
        pair.translation?.category ?? null,
        pair.translation?.start ?? null,
      ]),
    ).toEqual([
      ['intent', 2, null, null],
      ['threats', 10, 'threats', 0],
      ['threats', 20, null, null],
      [null, null, 'sentiment', 5],
      [null, null, 'custom', 30],
    ])
  })
})

describe('the time of a character', () => {
  const words = [
    { text: 'one', start: 10 },
    { text: 'missing', start: 11 },
    { text: 'one', start: 12 },
    { text: 'two', start: 14 },
  ]
  const line = { start: 9, text: '- one one two', words }

  test.each([
    [0, 9],
    [1, 9],
    [2, 10],
    [5, 10],
    [6, 12],
    [10, 14],
    [12, 14],
  ])('%i is that of the word it is in or follows: %i', (offset, time) => {
    expect(timeAtOffset(line, offset)).toBe(time)
  })

  test('is that of the line where words have no times', () => {
    expect(timeAtOffset({ start: 9, text: 'one two' }, 4)).toBe(9)
  })
})
