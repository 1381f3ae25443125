import { describe, expect, test } from 'vitest'
import type { OnnxGraph, OnnxTensor } from './onnx-runtime.ts'
import {
  referenceAttention,
  largestDifference,
  loadUntilTestEnd,
  sampleAttentionInputs,
  sampleNumbers,
  dynamicValueInfo,
  onnxRuntime,
} from './testing/attention.ts'
import type { AttentionSizes } from './testing/attention.ts'

const elementTypes = { float: 1, bfloat16: 16 } as const
type Precision = keyof typeof elementTypes

function loadCrossAttention(precision: Precision, threads: number): Promise<OnnxGraph> {
  const cast = (name: string) => ({
    operator: 'Cast',
    inputs: [name],
    outputs: [`cast ${name}`],
    attributes: { to: elementTypes[precision] },
  })
  const contents = {
    inputs: [dynamicValueInfo('queries', 3), dynamicValueInfo('keys', 4), dynamicValueInfo('values', 4)],
    outputs: [dynamicValueInfo('results', 3), dynamicValueInfo('weights', 4)],
    nodes: [
      cast('keys'),
      cast('values'),
      {
        operator: 'CrossAttention',
        domain: 'awaz' as const,
        inputs: ['queries', 'cast keys', 'cast values'],
        outputs: ['results', 'weights'],
      },
    ],
  }
  return loadUntilTestEnd(contents, threads)
}

async function run(
  graph: OnnxGraph,
  { heads, size, positions, texts, tokens }: AttentionSizes,
  inputs: ReturnType<typeof sampleAttentionInputs>,
) {
  const [results, weights] = await graph.run(
    {
      queries: onnxRuntime.floatTensor(inputs.queries, [texts, tokens, heads * size]),
      keys: onnxRuntime.floatTensor(inputs.keys, [1, heads, size, positions]),
      values: onnxRuntime.floatTensor(inputs.values, [1, heads, positions, size]),
    },
    ['results', 'weights'],
  )
  if (!results || !weights) throw new Error('The graph returned nothing')
  return { results, weights }
}

/** Sizes that fill the vector registers of every processor, and sizes that do not. */
const cases: AttentionSizes[] = [
  { heads: 8, size: 64, positions: 1500, texts: 1, tokens: 1 },
  { heads: 8, size: 64, positions: 1500, texts: 3, tokens: 1 },
  { heads: 2, size: 64, positions: 1501, texts: 5, tokens: 1 },
  { heads: 3, size: 20, positions: 37, texts: 2, tokens: 4 },
  { heads: 1, size: 3, positions: 5, texts: 1, tokens: 7 },
  { heads: 2, size: 1, positions: 1, texts: 1, tokens: 2 },
]

test.each(
  cases.flatMap((sizes) => [
    { ...sizes, precision: 'float' as const, threads: 1 },
    { ...sizes, precision: 'bfloat16' as const, threads: 2 },
  ]),
)(
  'reads what the formula says with $heads heads of $size, $positions positions, $texts texts of $tokens tokens, in $precision',
  async ({ precision, threads, ...sizes }) => {
    const graph = await loadCrossAttention(precision, threads)
    const inputs = sampleAttentionInputs(sizes)
    const { results, weights } = await run(graph, sizes, inputs)
    const expected = referenceAttention(sizes, inputs)
    expect(results.dims).toEqual([sizes.texts, sizes.tokens, sizes.heads * sizes.size])
    expect(weights.dims).toEqual([1, sizes.heads, sizes.texts * sizes.tokens, sizes.positions])
    // The tolerance allows for sums of 1,500 floats.
    expect(largestDifference(results.read(), expected.results)).toBeLessThan(1e-4)
    expect(largestDifference(weights.read(), expected.weights)).toBeLessThan(1e-5)
  },
)

test('scores far apart read the highest position and nothing else', async () => {
  const graph = await loadCrossAttention('bfloat16', 1)
  const sizes = { heads: 1, size: 1, positions: 20, texts: 1, tokens: 1 }
  const keys = Float32Array.from({ length: 20 }, (_, at) => (at === 7 ? 256 : -256))
  const { results, weights } = await run(graph, sizes, {
    queries: Float32Array.of(4),
    keys,
    values: Float32Array.from({ length: 20 }, (_, at) => at),
  })
  expect([...results.read()]).toEqual([7])
  expect(weights.read()[7]).toBe(1)
})

test('dims that do not fit together are an error, not the end of the process', async () => {
  const graph = await loadCrossAttention('float', 1)
  const sizes = { heads: 2, size: 4, positions: 5, texts: 1, tokens: 1 }
  const inputs = sampleAttentionInputs(sizes)
  await expect(
    graph.run(
      {
        queries: onnxRuntime.floatTensor(inputs.queries, [1, 1, 8]),
        keys: onnxRuntime.floatTensor(inputs.keys, [1, 2, 4, 5]),
        values: onnxRuntime.floatTensor(inputs.values, [1, 2, 4, 5]),
      },
      ['results'],
    ),
  ).rejects.toThrow('the dims of queries, keys and values do not fit together')
})

/** A decoder's self-attention: two heads of size 20, and texts that each continue one of two pasts. */
describe('the attention of texts to themselves', () => {
  const [heads, size] = [2, 20]
  const width = heads * size

  const loadSelfAttention = (threads: number) =>
    loadUntilTestEnd(
      {
        inputs: [
          dynamicValueInfo('joined', 3),
          dynamicValueInfo('keys', 4),
          dynamicValueInfo('values', 4),
          dynamicValueInfo('sources', 1, 'int64'),
        ],
        outputs: [dynamicValueInfo('results', 3), dynamicValueInfo('all keys', 4), dynamicValueInfo('all values', 4)],
        nodes: [
          {
            operator: 'SelfAttention',
            domain: 'awaz',
            inputs: ['joined', 'keys', 'values', 'sources'],
            outputs: ['results', 'all keys', 'all values'],
          },
        ],
      },
      threads,
    )

  const noPast = () => ({
    keys: onnxRuntime.floatTensor(new Float32Array(), [1, heads, size, 0]),
    values: onnxRuntime.floatTensor(new Float32Array(), [1, heads, 0, size]),
  })

  /** Adds tokens to texts; returns their attention results, and all keys and values. */
  async function add(
    graph: OnnxGraph,
    past: { keys: OnnxTensor; values: OnnxTensor },
    { joined, tokens, sources }: { joined: Float32Array; tokens: number; sources: number[] },
  ) {
    const inputs = {
      joined: onnxRuntime.floatTensor(joined, [sources.length, tokens, 3 * width]),
      keys: past.keys,
      values: past.values,
      sources: onnxRuntime.intTensor(sources, [sources.length]),
    }
    const [results, keys, values] = await graph.run(inputs, ['results', 'all keys', 'all values'])
    if (!results || !keys || !values) throw new Error('The graph returned nothing')
    return { results, keys, values }
  }

  test('each token reads what the formula says of itself and of those before, but not of later ones', async () => {
    const graph = await loadSelfAttention(2)
    const tokens = 40
    const joined = sampleNumbers(tokens * 3 * width, 5).map((number) => number / 4)
    const { results } = await add(graph, noPast(), { joined, tokens, sources: [0] })
    const part = (token: number, kind: number, head: number, at: number) =>
      joined[(token * 3 + kind) * width + head * size + at] ?? 0
    for (const token of [0, 1, 39]) {
      for (let head = 0; head < heads; head += 1) {
        const scores = Array.from({ length: token + 1 }, (_, other) => {
          let score = 0
          for (let at = 0; at < size; at += 1) score += part(token, 0, head, at) * part(other, 1, head, at)
          return Math.exp(score)
        })
        const sum = scores.reduce((one, other) => one + other, 0)
        const expected = scores.reduce((total, score, other) => total + (score / sum) * part(other, 2, head, 3), 0)
        expect(results.read()[token * width + head * size + 3]).toBeCloseTo(expected, 4)
      }
    }
  })

  test('texts continue the pasts that they name as if all of their tokens had come at once', async () => {
    const graph = await loadSelfAttention(1)
    const token = (seed: number) => sampleNumbers(3 * width, seed)
    const first = await add(graph, noPast(), { joined: token(1), tokens: 1, sources: [0] })
    const two = await add(graph, first, {
      joined: Float32Array.of(...token(2), ...token(3)),
      tokens: 1,
      sources: [0, 0],
    })
    const swapped = await add(graph, two, {
      joined: Float32Array.of(...token(4), ...token(5), ...token(6)),
      tokens: 1,
      sources: [1, 0, 1],
    })
    const endings = [
      [3, 4],
      [2, 5],
      [3, 6],
    ]
    for (const [text, ending] of endings.entries()) {
      const joined = Float32Array.of(...[1, ...ending].flatMap((seed) => [...token(seed)]))
      const whole = await add(graph, noPast(), { joined, tokens: 3, sources: [0] })
      const read = swapped.results.read().slice(text * width, (text + 1) * width)
      expect(largestDifference(read, whole.results.read().slice(2 * width))).toBeLessThan(1e-5)
      const ownKeys = swapped.keys.read().slice(text * width * 3, (text + 1) * width * 3)
      expect(ownKeys).toEqual(whole.keys.read())
    }
  })

  test('a text that continues one that does not exist is an error, not the end of the process', async () => {
    const graph = await loadSelfAttention(1)
    const joined = sampleNumbers(3 * width, 1)
    await expect(add(graph, noPast(), { joined, tokens: 1, sources: [1] })).rejects.toThrow('one that does not exist')
    await expect(
      add(graph, noPast(), { joined: sampleNumbers(6 * width, 1), tokens: 2, sources: [0] }),
    ).resolves.toBeDefined()
  })
})
