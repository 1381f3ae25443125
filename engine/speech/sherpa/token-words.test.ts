import { expect, test } from 'vitest'
import { RecognizerResult } from './recognizer-result.ts'
import { joinTokens } from './token-words.ts'

function result(tokens: string[], timestamps: number[], rest: Partial<RecognizerResult> = {}): RecognizerResult {
  return RecognizerResult.parse({ text: tokens.join(''), tokens, timestamps, ...rest })
}

test('joins tokens into words, punctuation with the preceding word', () => {
  const words = joinTokens(result([' He', 'llo', ',', ' you'], [0, 0.2, 0.4, 1], { durations: [0.2, 0.2, 0.1, 0.3] }))
  expect(words).toEqual([
    { text: 'Hello,', startMs: 0, endMs: 500, confidence: null },
    { text: 'you', startMs: 1000, endMs: 1300, confidence: null },
  ])
})

test.each([
  ['with a mark for a space', ['▁سلا', 'م', '▁دنیا']],
  ['with separate spaces', ['س', 'ل', 'ام', ' ', 'دنیا']],
])('joins tokens %s', (_, tokens) => {
  expect(
    joinTokens(
      result(
        tokens,
        tokens.map((_, at) => at / 10),
      ),
    )?.map(({ text }) => text),
  ).toEqual(['سلام', 'دنیا'])
})

test('without durations a word ends at the next one, but not long after its last token', () => {
  const words = joinTokens(result([' a', ' b', ' c'], [0, 0.1, 2]))
  expect(words?.map(({ endMs }) => endMs)).toEqual([100, 340, 2240])
})

test('the confidence of a word is the mean probability of its tokens', () => {
  const words = joinTokens(result([' a', 'b'], [0, 1], { ys_log_probs: [Math.log(0.5), Math.log(0.9)] }))
  expect(words?.[0]?.confidence).toBeCloseTo(0.7)
})

test('returns undefined for tokens without times', () => {
  expect(joinTokens(result([' a', ' b'], []))).toBeUndefined()
})
