import { expect, test } from 'vitest'
import { hasConfidences, isUncertainSegment, isUncertainWord, markDoubt, splitAtDoubt } from './doubt.ts'
import type { Word } from './transcription.ts'

const certain = 0.95
const uncertain = 0.2

function word(text: string, confidence?: number): Word {
  return { text, start: 0, end: 1, confidence }
}

/** Returns a segment whose words have these confidences. */
function segment(text: string, ...confidences: number[]) {
  return { text, words: text.split(/\s+/).map((part, index) => word(part, confidences[index] ?? certain)) }
}

test('never marks punctuation alone as uncertain', () => {
  expect(isUncertainWord(word('پل', uncertain))).toBe(true)
  expect(isUncertainWord(word('…', uncertain))).toBe(false)
  expect(isUncertainWord(word('bridge', certain))).toBe(false)
})

test('a line is uncertain as a whole or in a word that carries meaning', () => {
  expect(isUncertainSegment({ ...segment('we go'), confidence: 0.4 })).toBe(true)
  expect(isUncertainSegment(segment('to the bridge', certain, certain, uncertain))).toBe(true)
  expect(isUncertainSegment(segment('to the bridge', uncertain, uncertain, certain))).toBe(false)
  expect(isUncertainSegment({ confidence: certain })).toBe(false)
  expect(isUncertainSegment({})).toBe(false)
})

test('a transcript of an older version has no confidences', () => {
  const line = { start: 0, end: 1, text: 'hello' }
  expect(hasConfidences({ segments: [line] })).toBe(false)
  expect(hasConfidences({ segments: [line, { ...line, confidence: 0.9 }] })).toBe(true)
})

test.each([
  ['we go to the bridge.', [certain, uncertain, certain, certain, uncertain]],
  ['the the the', [certain, uncertain, certain]],
  ['  موږ به سبا پل ته ولاړ شو ', [uncertain, certain, certain, uncertain]],
  ['nothing to doubt', []],
])('the pieces of "%s" are the text, each character once', (text, confidences) => {
  const line = { ...segment(text.trim(), ...confidences), text }
  const pieces = splitAtDoubt(line)
  expect(pieces.map((piece) => piece.text).join('')).toBe(text)
  expect(pieces.filter(({ confidence }) => confidence !== null)).toHaveLength(
    confidences.filter((confidence) => confidence === uncertain).length,
  )
})

test('a word said twice is marked where it was uncertain', () => {
  expect(splitAtDoubt(segment('the bridge the bridge', certain, certain, certain, uncertain))).toEqual([
    { text: 'the bridge the ', confidence: null },
    { text: 'bridge', confidence: uncertain },
  ])
})

test('skips words that are not in the text', () => {
  const words = [word('elsewhere', uncertain), word(' ', uncertain), word('here', uncertain)]
  expect(splitAtDoubt({ text: 'we are here', words })).toEqual([
    { text: 'we are ', confidence: null },
    { text: 'here', confidence: uncertain },
  ])
})

test('places the mark between a word and its punctuation, and after vowel marks', () => {
  expect(markDoubt(segment('to the bridge.', certain, certain, uncertain))).toBe('to the bridge[?].')
  expect(markDoubt(segment('كَتَبَ؟', uncertain))).toBe('كَتَبَ[?]؟')
})

test('places the mark at the end of a line that is uncertain as a whole', () => {
  expect(markDoubt({ text: 'we go ', confidence: 0.3 })).toBe('we go [?]')
  expect(markDoubt({ ...segment('we go'), confidence: 0.3 })).toBe('we go [?]')
  expect(markDoubt({ text: ' ', confidence: 0.3 })).toBe(' ')
  expect(markDoubt({ text: 'we go' })).toBe('we go')
})

test('treats words without confidence neither as uncertain nor as having confidences', () => {
  const line = { start: 0, end: 1, text: 'the bridge', words: [word('the'), word('bridge')] }
  expect(isUncertainSegment(line)).toBe(false)
  expect(hasConfidences({ segments: [line] })).toBe(false)
  expect(markDoubt(line)).toBe('the bridge')
})

test('skips a word without text, and finds the words after it', () => {
  expect(splitAtDoubt({ text: 'a b', words: [word(' ', uncertain), word('a', uncertain)] })).toEqual([
    { text: 'a', confidence: uncertain },
    { text: ' b', confidence: null },
  ])
})
