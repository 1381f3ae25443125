import { logSumExp } from '#engine/onnx/numbers.ts'
import { expect, test } from 'vitest'
import { seededRandom } from '../seeded-random.ts'
import { meanLogProbability, searchHypotheses } from './search-hypotheses.ts'
import type { HypothesisSearchOptions, HypothesisDecoder } from './search-hypotheses.ts'

/** Tokens in these tests: 0 to 4 are text, 5 is the end, timestamps start at 10. */
const endOfText = 5
const size = 20

/** Returns a decoder that continues each text with the probabilities from `next`, and records its calls. */
function decoderOf(next: (text: readonly number[]) => Record<number, number>) {
  let texts: number[][] = [[]]
  const calls: number[][][] = []
  const row = (text: readonly number[]) => {
    const logits = new Float32Array(size).fill(-Infinity)
    for (const [token, probability] of Object.entries(next(text))) logits[Number(token)] = Math.log(probability)
    return logits
  }
  const decoder: HypothesisDecoder = {
    first: row([]),
    advance: async (sources, tokens) => {
      texts = sources.map((source, index) => [...(texts[source] ?? []), tokens[index] ?? -1])
      calls.push(texts)
      return texts.map(row)
    },
  }
  return { decoder, calls }
}

function options(changes: Partial<HypothesisSearchOptions> = {}): HypothesisSearchOptions {
  return {
    applyRules: (logits) => ({ logits, logSum: logSumExp(logits, 0, logits.length) }),
    endOfText,
    maxTokens: 8,
    lastTimestamp: 18,
    width: 1,
    temperature: 0,
    random: seededRandom(1),
    ...changes,
  }
}

/** The most probable first token leads to a text that is improbable as a whole. */
const trap = (text: readonly number[]): Record<number, number> => {
  if (text.length === 0) return { 1: 0.6, 2: 0.4 }
  if (text.length === 1) return text[0] === 1 ? { 3: 0.3, 4: 0.36, 0: 0.34 } : { 3: 1 }
  return { [endOfText]: 1 }
}

test('greedy search takes the most probable token each time', async () => {
  const [text] = await searchHypotheses(decoderOf(trap).decoder, options())
  expect(text?.tokens).toEqual([1, 4])
  expect(text?.isFinished).toBe(true)
})

test('beam search finds a text that is more probable as a whole', async () => {
  const { decoder } = decoderOf(trap)
  const texts = await searchHypotheses(decoder, options({ width: 3 }))
  const best = texts.toSorted((one, other) => meanLogProbability(other) - meanLogProbability(one))[0]
  expect(best?.tokens).toEqual([2, 3])
  expect(Math.exp(best?.logProbability ?? 0)).toBeCloseTo(0.4)
  expect(best?.logProbabilities.map(Math.exp)).toEqual([expect.closeTo(0.4), expect.closeTo(1)])
})

test('each text is continued from the one it belongs to', async () => {
  const next = (text: readonly number[]): Record<number, number> =>
    text.length === 0 ? { 1: 0.5, 2: 0.3, 3: 0.2 } : { 0: 0.1 + (text[0] ?? 0) / 10, 4: 0.3, [endOfText]: 0.01 }
  const { decoder, calls } = decoderOf(next)
  await searchHypotheses(decoder, options({ width: 3, maxTokens: 4 }))
  expect(calls[0]).toEqual([[1], [2], [3]])
  for (const texts of calls) {
    expect(texts).toHaveLength(3)
    expect(new Set(texts.map((text) => text.join(' '))).size).toBe(3)
  }
  for (const [index, texts] of calls.entries()) {
    for (const text of texts.filter(() => index > 0)) {
      expect(calls[index - 1]?.map(String)).toContain(String(text.slice(0, -1)))
    }
  }
})

test('a text without an end stops when no tokens are left', async () => {
  const { decoder, calls } = decoderOf(() => ({ 1: 1 }))
  const [text] = await searchHypotheses(decoder, options({ maxTokens: 6 }))
  expect(text?.tokens).toEqual([1, 1, 1, 1, 1, 1])
  expect(text?.isFinished).toBe(false)
  expect(calls).toHaveLength(5)
})

test('a segment that ends at the end of the audio completes the text, one that begins there does not', async () => {
  const tokens = [10, 1, 18, 18, 2]
  const { decoder } = decoderOf((text) => ({ [tokens[text.length] ?? endOfText]: 1 }))
  expect((await searchHypotheses(decoder, options()))[0]).toMatchObject({ tokens: [10, 1, 18], isFinished: true })
  const late = decoderOf((text) => ({ [[18, 1][text.length] ?? endOfText]: 1 })).decoder
  expect((await searchHypotheses(late, options()))[0]?.tokens).toEqual([18, 1])
})

test('sampling is reproducible, and at a low temperature follows the most probable token', async () => {
  const next = (text: readonly number[]): Record<number, number> =>
    text.length < 4 ? { 1: 0.5, 2: 0.3, 3: 0.2 } : { [endOfText]: 1 }
  const sample = async (temperature: number, seed: number) =>
    (
      await searchHypotheses(decoderOf(next).decoder, options({ temperature, width: 5, random: seededRandom(seed) }))
    ).map(({ tokens }) => tokens.join(''))
  expect(await sample(1, 7)).toEqual(await sample(1, 7))
  expect(new Set(await sample(1, 7)).size).toBeGreaterThan(1)
  expect(await sample(0.01, 7)).toEqual(Array.from({ length: 5 }, () => '1111'))
})

test('an abort stops between two tokens', async () => {
  const controller = new AbortController()
  const { decoder, calls } = decoderOf((text) => {
    if (text.length === 2) controller.abort(new Error('stopped'))
    return { 1: 1 }
  })
  await expect(searchHypotheses(decoder, options({ signal: controller.signal }))).rejects.toThrow('stopped')
  expect(calls).toHaveLength(2)
})
