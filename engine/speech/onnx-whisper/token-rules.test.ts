import { expect, test } from 'vitest'
import { createTokenRules } from './token-rules.ts'
import { readVocabulary } from './vocabulary.ts'
import { toyWhisperMetadata } from './testing/metadata.ts'

/** Text is 0 to 9, the end 10, special tokens 11 to 19, timestamps from 20. */
function rulesFor(audioPositions: number) {
  return createTokenRules({ vocabulary: readVocabulary(toyWhisperMetadata()), suppressed: [7], audioPositions })
}
const rules = rulesFor(40)
const size = 30

function allowed(logits: Float32Array): number[] {
  return [...logits.entries()].flatMap(([token, logit]) => (logit > -Infinity ? [token] : []))
}

/** Returns logits in which text is far more probable than timestamps; `timestamps` sets their logits. */
function logits(timestamps = -20): Float32Array {
  return new Float32Array(size).map((_, token) => (token < 20 ? -token / 10 : timestamps))
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index)
}

test('a text begins with neither the end, a space, a special nor a suppressed token', () => {
  expect(allowed(rules(logits(), []).logits)).toEqual([0, 1, 2, 4, 5, 6, 8, 9, ...range(20, 30)])
})

test('no special token is written, not even one of a language that the export leaves out', () => {
  const vocabulary = readVocabulary(toyWhisperMetadata({ all_language_codes: 'en', all_language_tokens: '12' }))
  const row = logits()
  row.fill(9, 11, 20)
  const { logits: ruled } = createTokenRules({ vocabulary, suppressed: [], audioPositions: 40 })(row, [20, 1])
  expect(allowed(ruled)).toEqual([...range(0, 11), ...range(21, 30)])
})

test('the first segment starts within a second', () => {
  const row = new Float32Array(120).fill(1)
  expect(allowed(rulesFor(80)(row, []).logits).filter((token) => token >= 20)).toEqual(range(20, 71))
})

test('no timestamp is later than the audio: what is expected after it is expected at its end', () => {
  const row = new Float32Array(120).fill(1)
  const { logits: ruled } = rulesFor(79.5)(row, [20, 1])
  expect(allowed(ruled).filter((token) => token >= 20)).toEqual(range(21, 101))
  expect(ruled[100]).toBeCloseTo(1 + Math.log(20))
})

test('within a text the end and later timestamps are possible', () => {
  expect(allowed(rules(logits(), [22, 1]).logits)).toEqual([...range(0, 7), 8, 9, 10, ...range(23, 30)])
})

test('the end of a segment is followed by the start of the next or the end of the text', () => {
  expect(allowed(rules(logits(), [20, 1, 25]).logits)).toEqual([10, ...range(25, 30)])
  const withTimestamps = rules(logits(1), [20, 1, 25]).logits
  expect(allowed(withTimestamps)).toEqual(range(25, 30))
})

test('the start of a segment is followed by text', () => {
  expect(allowed(rules(logits(5), [20, 1, 25, 25]).logits).every((token) => token <= 10)).toBe(true)
})

test('a timestamp is forced where all together are more probable than the best text', () => {
  const scores = rules(logits(-1.5), [20, 1])
  expect(allowed(scores.logits)).toEqual(range(21, 30))
  expect(scores.logSum).toBeCloseTo(-1.5 + Math.log(9))
})

test('the scores are normalised over what is possible', () => {
  const { logits: row, logSum } = rules(logits(), [20, 1])
  const sum = allowed(row).reduce((total, token) => total + Math.exp((row[token] ?? 0) - logSum), 0)
  expect(sum).toBeCloseTo(1)
})

test('NaN, which damaged weights compute, is an error', () => {
  expect(() => rules(new Float32Array(size).fill(Number.NaN), [])).toThrow('The model computes NaN')
})

test('where no token may follow, the sum is that of none', () => {
  const nothing = new Float32Array(60).fill(-Infinity)
  expect(rules(nothing, [20, 1]).logSum).toBe(-Infinity)
})
