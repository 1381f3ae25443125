import { expect, test } from 'vitest'
import { alignTokens, type CrossAttentionShape } from './align-tokens.ts'

/** Returns the attention of one head: each token attends to its own range of positions, and weakly to all others. */
function attend(ranges: [number, number][], positions: number, { weak = 0.01 } = {}): Float32Array {
  return Float32Array.from({ length: ranges.length * positions }, (_, at) => {
    const [start, end] = ranges[Math.floor(at / positions)] ?? [0, 0]
    const position = at % positions
    return position >= start && position < end ? 1 : weak
  })
}

/** Returns a linear congruential generator of numbers from 0 to 1, which a reference in another language can reproduce. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

/** Returns attention with noise on all heads; all but the last also attend to the diagonal. */
function attendDiagonally({ heads, tokens, positions }: CrossAttentionShape, seed: number): Float32Array {
  const random = createRandom(seed)
  return Float32Array.from({ length: heads * tokens * positions }, (_, at) => {
    const head = Math.floor(at / (tokens * positions))
    const token = Math.floor(at / positions) % tokens
    const distance = Math.abs((at % positions) - ((token + 0.5) * positions) / tokens)
    return random() + (head < heads - 1 ? 2 / (1 + distance) : 0)
  })
}

function join(heads: Float32Array[]): Float32Array {
  return Float32Array.from(heads.flatMap((head) => [...head]))
}

test('returns the first position that each token attends to', () => {
  const weights = attend(
    [
      [0, 20],
      [20, 28],
      [28, 60],
    ],
    60,
  )
  expect(alignTokens(weights, { heads: 1, tokens: 3, positions: 60, audioPositions: 60 })).toEqual([0, 20, 28])
})

test('gives a pause to the token that attends to it', () => {
  const wordCommaWord: [number, number][] = [
    [0, 15],
    [15, 80],
    [80, 100],
  ]
  const shape = { heads: 1, tokens: 3, positions: 100, audioPositions: 100 }
  expect(alignTokens(attend(wordCommaWord, 100), shape)).toEqual([0, 15, 80])
})

test('is not misled by a head that attends to noise, nor by single positions', () => {
  const ranges: [number, number][] = [
    [0, 20],
    [20, 40],
    [40, 60],
  ]
  const random = createRandom(7)
  const noise = Float32Array.from({ length: 180 }, () => random())
  const clear = attend(ranges, 60)
  // Three positions are fewer than half the filter's width.
  clear.fill(1, 5 + 60, 8 + 60)
  expect(alignTokens(join([clear, noise, clear]), { heads: 3, tokens: 3, positions: 60, audioPositions: 60 })).toEqual([
    0, 20, 40,
  ])
})

test('ignores attention to positions without audio, whatever their share', () => {
  const heard: [number, number][] = [
    [0, 10],
    [10, 30],
    [30, 40],
  ]
  const shape = { heads: 1, tokens: 3, positions: 60, audioPositions: 40 }
  const weights = attend(heard, 60)
  const expected = alignTokens(weights, shape)
  // The second token attends mostly to the padding, so softmax leaves only a hundredth for the audio.
  const padded = weights.map((weight, at) => {
    if (at < 60 || at >= 120) return weight
    return at < 100 ? weight / 100 : 1
  })
  expect(expected).toEqual([0, 10, 30])
  expect(alignTokens(padded, shape)).toEqual(expected)
})

test('tokens before the first one are not aligned', () => {
  const ranges: [number, number][] = [
    [0, 60],
    [0, 30],
    [30, 60],
  ]
  const shape = { heads: 1, tokens: 3, positions: 60, audioPositions: 60, firstToken: 1 }
  expect(alignTokens(attend(ranges, 60), shape)).toEqual([0, 30])
})

// Expected values: numpy in float64 on the same weights, following the steps of find_alignment in OpenAI's whisper/timing.py (rows divided
// by their sums over the audio, which is softmax over the audio only; std and mean along the tokens; np.pad with mode "reflect" and
// np.median over sliding_window_view; mean over heads; dtw_cpu; time indices at the jumps).
test.each<[string, number, CrossAttentionShape, number[]]>([
  ['all tokens', 1, { heads: 3, tokens: 8, positions: 64, audioPositions: 64 }, [0, 8, 17, 23, 32, 38, 49, 56]],
  [
    'after the prompt',
    1,
    { heads: 3, tokens: 8, positions: 64, audioPositions: 64, firstToken: 3 },
    [0, 32, 38, 49, 56],
  ],
  ['with padding', 2, { heads: 3, tokens: 8, positions: 64, audioPositions: 50 }, [0, 8, 14, 25, 32, 40, 49, 49]],
  ['fewer positions than the filter', 3, { heads: 2, tokens: 4, positions: 5, audioPositions: 5 }, [0, 0, 2, 2]],
  ['too few positions to reflect', 4, { heads: 2, tokens: 6, positions: 3, audioPositions: 3 }, [0, 0, 1, 2, 2, 2]],
  [
    'many tokens',
    5,
    { heads: 4, tokens: 20, positions: 120, audioPositions: 120 },
    [0, 6, 11, 18, 24, 30, 36, 43, 49, 54, 61, 67, 72, 79, 83, 90, 96, 101, 108, 114],
  ],
])('agrees with the reference: %s', (_, seed, shape, expected) => {
  expect(alignTokens(attendDiagonally(shape, seed), shape)).toEqual(expected)
})

test.each([
  [0, 20],
  [0.1, 20],
  [0.7, 50],
])('equal weights say nothing, so that all tokens start at 0: %d at %d positions', (weight, positions) => {
  const weights = new Float32Array(11 * positions).fill(weight)
  const starts = alignTokens(weights, { heads: 1, tokens: 11, positions, audioPositions: positions })
  expect(starts).toEqual(Array.from({ length: 11 }, () => 0))
})

test.each([Number.NaN, Number.POSITIVE_INFINITY])('a token with weights of %d attends to nothing', (weight) => {
  const ranges: [number, number][] = [
    [0, 20],
    [20, 40],
    [40, 60],
  ]
  const shape = { heads: 1, tokens: 3, positions: 60, audioPositions: 60 }
  const nothing = attend(ranges, 60).fill(0, 60, 120)
  const broken = attend(ranges, 60).fill(weight, 60, 120)
  const starts = alignTokens(broken, shape)
  expect(starts).toEqual(alignTokens(nothing, shape))
  expect([starts?.[0], starts?.[2]]).toEqual([0, 20])
})

test.each([
  ['no tokens', 0, 20, []],
  ['one token', 1, 20, [0]],
  ['no audio', 2, 0, [0, 0]],
  ['more audio than positions', 1, 99, [0]],
])('accepts %s', (_, tokens, audioPositions, expected) => {
  const weights = new Float32Array(2 * tokens * 20).fill(0.05)
  expect(alignTokens(weights, { heads: 2, tokens, positions: 20, audioPositions })).toEqual(expected)
})

test('returns undefined for a model without alignment heads', () => {
  const shape = { heads: 0, tokens: 3, positions: 20, audioPositions: 20 }
  expect(alignTokens(new Float32Array(0), shape)).toBeUndefined()
})

test('rejects weights of another shape', () => {
  const shape = { heads: 1, tokens: 3, positions: 20, audioPositions: 20 }
  expect(() => alignTokens(new Float32Array(59), shape)).toThrow('Expected 60 attention weights, got 59')
})
