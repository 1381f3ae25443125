import { expect, test } from 'vitest'
import { RecognizerResult } from './recognizer-result.ts'
import { joinTokens, spreadWords } from './token-words.ts'

function result(tokens: string[], timestamps: number[], rest: Partial<RecognizerResult> = {}): RecognizerResult {
  return RecognizerResult.parse({ text: tokens.join(''), tokens, timestamps, ...rest })
}

test('tokens are joined to words, punctuation with the word before it', () => {
  const words = joinTokens(result([' He', 'llo', ',', ' you'], [0, 0.2, 0.4, 1], { durations: [0.2, 0.2, 0.1, 0.3] }))
  expect(words).toEqual([
    { text: 'Hello,', startMs: 0, endMs: 500, confidence: null },
    { text: 'you', startMs: 1000, endMs: 1300, confidence: null },
  ])
})

test.each([
  ['with a mark for a blank', ['▁سلا', 'م', '▁دنیا']],
  ['with blanks of their own', ['س', 'ل', 'ام', ' ', 'دنیا']],
])('tokens %s', (_, tokens) => {
  expect(
    joinTokens(
      result(
        tokens,
        tokens.map((_, at) => at / 10),
      ),
    )?.map(({ text }) => text),
  ).toEqual(['سلام', 'دنیا'])
})

test('without durations a word ends where the next begins, but not long after its last token', () => {
  const words = joinTokens(result([' a', ' b', ' c'], [0, 0.1, 2]))
  expect(words?.map(({ endMs }) => endMs)).toEqual([100, 340, 2240])
})

test('the confidence of a word is the mean probability of its tokens where the model tells it', () => {
  const words = joinTokens(result([' a', 'b'], [0, 1], { ys_log_probs: [Math.log(0.5), Math.log(0.9)] }))
  expect(words?.[0]?.confidence).toBeCloseTo(0.7)
})

test('tokens without times give no words', () => {
  expect(joinTokens(result([' a', ' b'], []))).toBeUndefined()
})

test('a text without times is spread over its segment by its letters', () => {
  expect(spreadWords(' ab  cdef ', { startMs: 1000, endMs: 1600 })).toEqual([
    { text: 'ab', startMs: 1000, endMs: 1200, confidence: null },
    { text: 'cdef', startMs: 1200, endMs: 1600, confidence: null },
  ])
})
