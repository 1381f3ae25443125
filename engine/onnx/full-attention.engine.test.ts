import { describe, expect, test } from 'vitest'
import type { OnnxTensor } from './onnx-runtime.ts'
import {
  referenceAttention,
  largestDifference,
  loadUntilTestEnd,
  sampleNumbers,
  dynamicValueInfo,
  onnxRuntime,
} from './testing/attention.ts'
import type { AttentionSizes } from './testing/attention.ts'

/** An encoder's attention: the positions of two audio inputs, each attending only to its own input. */
describe('the attention of all positions to each other', () => {
  const loadFullAttention = (heads: number, threads: number) =>
    loadUntilTestEnd(
      {
        inputs: [dynamicValueInfo('joined', 3), dynamicValueInfo('heads', 1, 'int64')],
        outputs: [dynamicValueInfo('results', 3)],
        nodes: [{ operator: 'FullAttention', domain: 'awaz', inputs: ['joined', 'heads'], outputs: ['results'] }],
      },
      threads,
    ).then((graph) => ({
      run: (joined: OnnxTensor) => graph.run({ joined, heads: onnxRuntime.intTensor([heads], [1]) }, ['results']),
    }))

  /** Returns queries, keys and values, [positions, 3 * heads * size], and those of one head in the order of `attend`. */
  function makeJoined({ heads, size, positions }: AttentionSizes, seed: number) {
    const width = heads * size
    const joined = sampleNumbers(positions * 3 * width, seed).map((number, at) =>
      at % (3 * width) < width ? number / 8 : number,
    )
    const part = (number: number) => (head: number, position: number, at: number) =>
      joined[position * 3 * width + number * width + head * size + at] ?? 0
    const [query, key, value] = [part(0), part(1), part(2)]
    const fill = (length: number, pick: (at: number) => number) => Float32Array.from({ length }, (_, at) => pick(at))
    return {
      joined,
      inputs: {
        queries: fill(positions * width, (at) => query(0, Math.floor(at / width), at % width)),
        keys: fill(width * positions, (at) => key(0, at % positions, Math.floor(at / positions))),
        values: fill(width * positions, (at) =>
          value(Math.floor(at / size / positions), Math.floor(at / size) % positions, at % size),
        ),
      },
    }
  }

  test.each([
    { heads: 2, size: 64, positions: 130, threads: 1 },
    { heads: 3, size: 20, positions: 37, threads: 2 },
    { heads: 1, size: 3, positions: 1, threads: 1 },
  ])('reads what the formula says: $heads heads of $size, $positions positions', async ({ threads, ...rest }) => {
    const sizes: AttentionSizes = { ...rest, texts: 1, tokens: rest.positions }
    const [one, other] = [makeJoined(sizes, 1), makeJoined(sizes, 5)]
    const width = 3 * sizes.heads * sizes.size
    const graph = await loadFullAttention(sizes.heads, threads)
    const both = Float32Array.of(...one.joined, ...other.joined)
    const [results] = await graph.run(onnxRuntime.floatTensor(both, [2, sizes.positions, width]))
    const expected = [one, other].flatMap(({ inputs }) => referenceAttention(sizes, inputs).results)
    expect(results?.dims).toEqual([2, sizes.positions, width / 3])
    // Values are up to 2.5; queries and keys are 13-bit integers.
    expect(largestDifference(results?.read() ?? new Float32Array(), expected)).toBeLessThan(2e-3)
  })

  test('numbers of heads that do not fit are an error, not the end of the process', async () => {
    const joined = onnxRuntime.floatTensor(new Float32Array(24), [1, 1, 24])
    for (const heads of [0, 5]) {
      const graph = await loadFullAttention(heads, 1)
      await expect(graph.run(joined)).rejects.toThrow('do not fit together')
    }
  })
})
