import { expect, test } from 'vitest'
import { spreadTextOverSpan, spreadWords } from './spread-words.ts'

test('spreads the words of a text over its segment by their letters', () => {
  expect(spreadTextOverSpan(' ab  cdef ', { startMs: 1000, endMs: 1600 })).toEqual([
    { text: 'ab', startMs: 1000, endMs: 1200, confidence: null },
    { text: 'cdef', startMs: 1200, endMs: 1600, confidence: null },
  ])
})

test('spreads words without letters over no time', () => {
  expect(spreadWords(['', 'a'], { startMs: 0, endMs: 100 }).map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
    [0, 0],
    [0, 100],
  ])
  expect(spreadTextOverSpan(' ', { startMs: 0, endMs: 100 })).toEqual([])
})
