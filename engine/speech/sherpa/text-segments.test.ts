import { expect, test } from 'vitest'
import { RecognizerResult } from './recognizer-result.ts'
import { readTextResult } from './text-segments.ts'

function segmentsOf(tokens: string[], timestamps: number[]) {
  return readTextResult(RecognizerResult.parse({ text: tokens.join(''), tokens, timestamps }), 10_000)
}

test('a segment ends after a sentence and at a pause', () => {
  const { segments, isComplete } = segmentsOf(
    [' How', ' are', ' you', '?', ' Well', '.', ' And', ' then'],
    [0.1, 0.3, 0.5, 0.6, 0.8, 0.9, 1.1, 3],
  )
  expect(segments.map(({ text }) => text)).toEqual(['How are you?', 'Well.', 'And', 'then'])
  expect(segments.map(({ startMs }) => Math.round(startMs))).toEqual([100, 800, 1100, 3000])
  expect(isComplete).toBe(true)
})

test('a text whose tokens have no times is a single segment', () => {
  const { segments } = segmentsOf([' How', ' are', ' you'], [])
  expect(segments).toMatchObject([{ text: 'How are you', startMs: 0, endMs: 10_000 }])
})

test('silence has no segments', () => {
  expect(segmentsOf([], []).segments).toEqual([])
})
