import { expect, test } from 'vitest'
import type { TokenizedWord } from './token-table.ts'
import { assignWordTimes, type WordTiming } from './word-times.ts'

/** Words of the given number of tokens each, numbered in order. */
function decoded(...words: [string, number][]): TokenizedWord[] {
  let next = 0
  return words.map(([text, count]) => ({ text, tokens: Array.from({ length: count }, () => next++) }))
}

function spans(words: TokenizedWord[], timing: Omit<WordTiming, 'probabilities'>): [number, number][] {
  return assignWordTimes(words, { probabilities: [], ...timing }).map(({ startMs, endMs }) => [startMs, endMs])
}

test('a word lasts from its first token to the next word, the last one to the end of the text', () => {
  const words = assignWordTimes(decoded([' But', 1], [' though', 2], ['شد', 2]), {
    starts: [0, 16, 20, 38, 42],
    probabilities: [0.9, 0.5, 0.7, 1, 1],
    segment: { startMs: 0, endMs: 2000 },
    endPosition: 60,
  })
  expect(words).toEqual([
    { text: 'But', startMs: 0, endMs: 320, confidence: 0.9 },
    { text: 'though', startMs: 320, endMs: 760, confidence: 0.6 },
    { text: 'شد', startMs: 760, endMs: 1200, confidence: 1 },
  ])
})

test('the last word ends with the segment where the end of the text is unknown', () => {
  expect(spans(decoded([' one', 1]), { starts: [10], segment: { startMs: 0, endMs: 900 } })).toEqual([[200, 900]])
})

test.each(['books,', 'books."', 'کتاب،', 'کتاب؟'])('the pause after %s does not belong to it', (text) => {
  const timing = { starts: [10, 30, 70], segment: { startMs: 0, endMs: 2000 }, endPosition: 90 }
  expect(spans(decoded([text, 2], [' not', 1]), timing)).toEqual([
    [200, 600],
    [1400, 1800],
  ])
})

test('punctuation inside a word or on its own is part of the time', () => {
  const timing = { starts: [10, 20, 30, 40], segment: { startMs: 0, endMs: 2000 }, endPosition: 50 }
  expect(spans(decoded(["don't", 3], [',', 1]), timing)).toEqual([
    [200, 800],
    [800, 1000],
  ])
})

test('words stay inside their segment and never end before they start', () => {
  const timing = { starts: [0, 30, 60, 60], segment: { startMs: 500, endMs: 1100 }, endPosition: 90 }
  expect(spans(decoded([' a', 1], [' b', 1], [' c', 1], [' d', 1]), timing)).toEqual([
    [500, 600],
    [600, 1100],
    [1100, 1100],
    [1100, 1100],
  ])
})

test('the token indices of a later segment count from the start of the text', () => {
  const words = [{ text: ' is', tokens: [2, 3] }]
  const segment = { startMs: 1000, endMs: 3000 }
  expect(
    assignWordTimes(words, { starts: [0, 20, 60, 70], probabilities: [0, 0, 0.4, 0.8], segment, endPosition: 80 }),
  ).toEqual([{ text: 'is', startMs: 1200, endMs: 1600, confidence: expect.closeTo(0.6) }])
})

test('a pause after a word without punctuation is not counted as the word', () => {
  const timing = { starts: [0, 20, 40, 160], segment: { startMs: 0, endMs: 4000 }, endPosition: 180 }
  expect(spans(decoded([' a', 1], [' b', 1], [' c', 1], [' d', 1]), timing)).toEqual([
    [0, 400],
    [400, 800],
    [800, 1800],
    [3200, 3600],
  ])
})

test('a pause before the first word of a sentence is not counted as the word', () => {
  const timing = { starts: [0, 100, 120, 130, 240, 260], segment: { startMs: 0, endMs: 5600 }, endPosition: 280 }
  expect(spans(decoded([' He', 1], [' came.', 2], [' Then', 1], [' she', 1], [' left', 1]), timing)).toEqual([
    [1200, 2000],
    [2000, 2400],
    [4000, 4800],
    [4800, 5200],
    [5200, 5600],
  ])
})

test('a long word among long words is not shortened', () => {
  const timing = { starts: [0, 60, 125], segment: { startMs: 0, endMs: 4000 }, endPosition: 185 }
  expect(spans(decoded([' a', 1], [' b', 1], [' c', 1]), timing)).toEqual([
    [0, 1200],
    [1200, 2500],
    [2500, 3700],
  ])
})

test('the only word of a segment is shortened, too', () => {
  const timing = { starts: [0], segment: { startMs: 0, endMs: 6000 }, endPosition: 300 }
  expect(spans(decoded([' سلام', 1]), timing)).toEqual([[4600, 6000]])
})

test('without token times the words are spread over the segment', () => {
  const words = decoded([' ab', 1], [' ', 1], [' cdef', 2])
  const timing = { starts: undefined, probabilities: [0.5, 1, 0.2, 0.4], segment: { startMs: 1000, endMs: 1600 } }
  expect(assignWordTimes(words, timing)).toEqual([
    { text: 'ab', startMs: 1000, endMs: 1200, confidence: 0.5 },
    { text: 'cdef', startMs: 1200, endMs: 1600, confidence: expect.closeTo(0.3) },
  ])
})

test('the confidence is null where a probability is unknown', () => {
  const timing = { starts: [0, 10], probabilities: [0.5], segment: { startMs: 0, endMs: 400 } }
  expect(assignWordTimes(decoded([' ab', 2]), timing)[0]?.confidence).toBeNull()
})

test('returns no words for a segment without words', () => {
  expect(assignWordTimes([], { starts: [], probabilities: [], segment: { startMs: 0, endMs: 400 } })).toEqual([])
})
