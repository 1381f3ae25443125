import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createOnnxRuntime } from './onnx-runtime.ts'
import type { OnnxGraph } from './onnx-runtime.ts'
import { encodeOnnxModel } from './testing/onnx-contents.ts'

const runtime = createOnnxRuntime()
/** Enough rows for several tasks, and a width that does not fill the vector registers. */
const [rows, width, columns] = [40, 21, 3]
const biases = [100, -200, 0]
/** ONNX data types. */
const [int8, int32] = [3, 6]

/** For many rows, and for few. */
const operators = ['ScaleProducts', 'MultiplyRows'] as const

/** Loads a graph that multiplies floats by a matrix of whole numbers, both as 8-bit integers. */
async function loadProduct(
  operator: (typeof operators)[number],
  { hasBiases = false, threads = 1 } = {},
): Promise<OnnxGraph> {
  const place = (name: string, dims: (number | string)[]) => ({ name, type: 'float' as const, dims })
  const contents = encodeOnnxModel({
    inputs: [place('rows', ['n', 'width']), place('matrix', ['width', 'm']), place('scales', ['s'])],
    outputs: [place('results', ['n', 'm'])],
    weights: {
      biases: { dims: [columns], values: biases },
      ones: { dims: [width], values: Array.from({ length: width }, () => 1) },
    },
    nodes: [
      { operator: 'QuantizeRows', domain: 'awaz', inputs: ['rows'], outputs: ['integers', 'row scales'] },
      { operator: 'Cast', inputs: ['matrix'], outputs: ['integer matrix'], attributes: { to: int8 } },
      ...(operator === 'ScaleProducts'
        ? [{ operator: 'MatMulInteger', inputs: ['integers', 'integer matrix'], outputs: ['products'] }]
        : [{ operator: 'Transpose', inputs: ['integer matrix'], outputs: ['integer columns'] }]),
      { operator: 'MatMul', inputs: ['ones', 'matrix'], outputs: ['float sums'] },
      { operator: 'Cast', inputs: ['float sums'], outputs: ['sums'], attributes: { to: int32 } },
      {
        operator,
        domain: 'awaz',
        inputs: [
          ...(operator === 'ScaleProducts'
            ? ['products', 'row scales']
            : ['integers', 'row scales', 'integer columns']),
          'scales',
          'sums',
          ...(hasBiases ? ['biases'] : []),
        ],
        outputs: ['results'],
      },
    ],
  })
  const path = join(await temporaryFolder(), 'integers.onnx')
  await writeFile(path, contents)
  const graph = await runtime.loadGraph(path, { threads })
  onTestFinished(() => graph.release())
  return graph
}

const matrix = Float32Array.from({ length: width * columns }, (_, at) => ((at * 37) % 255) - 127)
const scales = Float32Array.of(0.5, 1, 2)

async function multiply(graph: OnnxGraph, values: Float32Array): Promise<Float32Array> {
  const inputs = {
    rows: runtime.floatTensor(values, [values.length / width, width]),
    matrix: runtime.floatTensor(matrix, [width, columns]),
    scales: runtime.floatTensor(scales, [columns]),
  }
  const [results] = await graph.run(inputs, ['results'])
  if (!results) throw new Error('The graph returned nothing')
  return results.read()
}

/** Returns the exact products of a row, and their size if no terms cancel each other out. */
function productsOf(row: Float32Array) {
  return Array.from({ length: columns }, (_, column) => {
    const terms = Array.from(row, (value, at) => value * (matrix[at * columns + column] ?? 0) * (scales[column] ?? 0))
    return {
      product: terms.reduce((sum, term) => sum + term, 0),
      size: terms.reduce((sum, term) => sum + Math.abs(term), 0),
    }
  })
}

test.each(operators.flatMap((operator) => [1, 2].map((threads) => ({ operator, threads }))))(
  'a row of small numbers beside large ones is as exact as by itself: $operator on $threads threads',
  async ({ operator, threads }) => {
    const values = Float32Array.from({ length: rows * width }, (_, at) => {
      const size = 10 ** -(Math.floor(at / width) % 7)
      return (((at * 29) % 101) / 50 - 0.7) * size
    })
    const results = await multiply(await loadProduct(operator, { threads }), values)
    for (let row = 0; row < rows; row += 1) {
      for (const [column, { product, size }] of productsOf(values.subarray(row * width, (row + 1) * width)).entries()) {
        expect(Math.abs((results[row * columns + column] ?? 0) - product)).toBeLessThan(size / 200)
      }
    }
  },
)

test.each(operators)('rows of zeros and of one sign are exact, and biases are added: %s', async (operator) => {
  const values = new Float32Array(3 * width)
  values.fill(51, width, 2 * width).fill(-102, 2 * width)
  const results = await multiply(await loadProduct(operator, { hasBiases: true }), values)
  for (const row of [0, 1, 2]) {
    const exact = productsOf(values.subarray(row * width, (row + 1) * width)).map(
      ({ product }, column) => product + (biases[column] ?? 0),
    )
    for (const [column, expected] of exact.entries()) expect(results[row * columns + column]).toBeCloseTo(expected, 1)
  }
})

test.each(operators)('dims that do not fit together are an error, not the end of the process: %s', async (operator) => {
  const graph = await loadProduct(operator)
  const inputs = {
    rows: runtime.floatTensor(new Float32Array(width), [1, width]),
    matrix: runtime.floatTensor(matrix, [width, columns]),
    scales: runtime.floatTensor(Float32Array.of(1, 2), [2]),
  }
  await expect(graph.run(inputs, ['results'])).rejects.toThrow('do not fit together')
})

test('a normalized row is what a layer normalization returns, as integers', async () => {
  const place = (name: string, dims: (number | string)[]) => ({ name, type: 'float' as const, dims })
  const contents = encodeOnnxModel({
    inputs: [place('rows', ['n', width]), place('weights', ['w']), place('biases', ['b'])],
    outputs: [place('floats', ['n', width]), place('integer floats', ['n', width]), place('scales', ['n', 2])],
    nodes: [
      { operator: 'LayerNormalization', inputs: ['rows', 'weights', 'biases'], outputs: ['floats'] },
      {
        operator: 'NormalizeAndQuantizeRows',
        domain: 'awaz',
        inputs: ['rows', 'weights', 'biases'],
        outputs: ['integers', 'scales'],
      },
      { operator: 'Cast', inputs: ['integers'], outputs: ['integer floats'], attributes: { to: 1 } },
    ],
  })
  const path = join(await temporaryFolder(), 'norm.onnx')
  await writeFile(path, contents)
  const graph = await runtime.loadGraph(path, { threads: 2 })
  onTestFinished(() => graph.release())
  const values = (count: number, factor: number) =>
    Float32Array.from({ length: count }, (_, at) => ((at * factor) % 31) - 11)
  const inputs = {
    rows: runtime.floatTensor(values(rows * width, 17), [rows, width]),
    weights: runtime.floatTensor(values(width, 5), [width]),
    biases: runtime.floatTensor(values(width, 3), [width]),
  }

  const [floats, integers, rowScales] = await graph.run(inputs, ['floats', 'integer floats', 'scales'])

  const [expected, found, scaleNumbers] = [floats, integers, rowScales].map((tensor) => [...(tensor?.read() ?? [])])
  expect(expected).toHaveLength(rows * width)
  for (const [at, value] of expected?.entries() ?? []) {
    const row = Math.floor(at / width)
    const [scale = 0, zero = 0] = scaleNumbers?.slice(row * 2, row * 2 + 2) ?? []
    expect(Math.abs(((found?.[at] ?? 0) - zero) * scale - value)).toBeLessThanOrEqual(scale * 0.51)
  }
  await expect(graph.run({ ...inputs, biases: runtime.floatTensor(values(2, 1), [2]) }, ['scales'])).rejects.toThrow(
    'do not fit together',
  )
})
