// What the tests of the attention operators share: a graph of one operator, inputs, and the formula.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createOnnxRuntime } from '../onnx-runtime.ts'
import type { OnnxGraph } from '../onnx-runtime.ts'
import { encodeOnnxModel } from './onnx-contents.ts'
import type { OnnxModelDefinition } from './onnx-contents.ts'

export const onnxRuntime = createOnnxRuntime()

/** Loads a graph until the end of the test. */
export async function loadUntilTestEnd(
  contents: Omit<OnnxModelDefinition, 'weights'>,
  threads: number,
): Promise<OnnxGraph> {
  const path = join(await temporaryFolder(), 'attention.onnx')
  await writeFile(path, encodeOnnxModel(contents))
  const graph = await onnxRuntime.loadGraph(path, { threads })
  onTestFinished(() => graph.release())
  return graph
}

/** Returns an input or output whose axes are all dynamic. */
export function dynamicValueInfo(name: string, rank: number, type: 'float' | 'int64' = 'float') {
  return { name, type, dims: Array.from({ length: rank }, (_, axis) => `${name}${axis}`) }
}

/** Returns whole numbers and halves, which bfloat16 represents exactly. */
export function sampleNumbers(count: number, seed: number): Float32Array {
  return Float32Array.from({ length: count }, (_, at) => (((at * 7 + seed * 13) % 11) - 5) / 2)
}

export interface AttentionSizes {
  heads: number
  size: number
  positions: number
  texts: number
  tokens: number
}

export function sampleAttentionInputs({ heads, size, positions, texts, tokens }: AttentionSizes) {
  const queries = sampleNumbers(texts * tokens * heads * size, 1).map((number) => number / 8)
  return {
    queries,
    keys: sampleNumbers(heads * size * positions, 2),
    values: sampleNumbers(heads * positions * size, 3),
  }
}

/** Computes the attention by its formula, in 64-bit floats. */
export function referenceAttention(
  { heads, size, positions, texts, tokens }: AttentionSizes,
  inputs: ReturnType<typeof sampleAttentionInputs>,
) {
  const rows = texts * tokens
  const range = (length: number) => Array.from({ length }, (_, at) => at)
  const query = (row: number, head: number, at: number) => inputs.queries[(row * heads + head) * size + at] ?? 0
  const key = (head: number, at: number, position: number) =>
    inputs.keys[(head * size + at) * positions + position] ?? 0
  const value = (head: number, position: number, at: number) =>
    inputs.values[(head * positions + position) * size + at] ?? 0
  const sum = (values: number[]) => values.reduce((one, other) => one + other, 0)
  const weights = range(heads).map((head) =>
    range(rows).map((row) => {
      const scores = range(positions).map((position) =>
        Math.exp(sum(range(size).map((at) => query(row, head, at) * key(head, at, position)))),
      )
      return scores.map((score) => score / sum(scores))
    }),
  )
  const results = range(rows).flatMap((row) =>
    range(heads).flatMap((head) =>
      range(size).map((at) =>
        sum(range(positions).map((position) => (weights[head]?.[row]?.[position] ?? 0) * value(head, position, at))),
      ),
    ),
  )
  return { weights: weights.flat(2), results }
}

/** Returns the largest difference between two lists of the same length. */
export function largestDifference(values: Float32Array, expected: ArrayLike<number>): number {
  expect(values).toHaveLength(expected.length)
  return values.reduce((largest, value, at) => Math.max(largest, Math.abs(value - (expected[at] ?? Number.NaN))), 0)
}
