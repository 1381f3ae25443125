import { execFile } from 'node:child_process'
import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createOnnxRuntime } from './onnx-runtime.ts'
import type { OnnxGraph, OnnxRuntime } from './onnx-runtime.ts'
import { encodeOnnxModel } from './testing/onnx-contents.ts'
import type { OnnxModelDefinition } from './testing/onnx-contents.ts'

/** Multiplies rows of two numbers by a matrix and looks up rows of a table by id. */
const product: OnnxModelDefinition = {
  inputs: [
    { name: 'rows', type: 'float', dims: ['count', 2] },
    { name: 'ids', type: 'int64', dims: ['ids'] },
  ],
  outputs: [
    { name: 'product', type: 'float', dims: ['count', 3] },
    { name: 'found', type: 'float', dims: ['ids', 2] },
  ],
  nodes: [
    { operator: 'MatMul', inputs: ['rows', 'matrix'], outputs: ['product'] },
    { operator: 'Gather', inputs: ['table', 'ids'], outputs: ['found'] },
  ],
  weights: {
    matrix: { dims: [2, 3], values: [1, 2, 3, 10, 20, 30] },
    table: { dims: [3, 2], values: [0, 1, 2, 3, 4, 5] },
  },
  metadata: { model_type: 'product', n_mels: '80' },
}

const addonPath = join(import.meta.dirname, '../../node_modules/.awaz/whisper.node')

let runtime: OnnxRuntime
let folder: string

beforeAll(() => {
  runtime = createOnnxRuntime()
})

beforeEach(async () => {
  folder = await temporaryFolder()
})

async function load(contents: OnnxModelDefinition = product, threads = 1): Promise<OnnxGraph> {
  const path = join(folder, `${contents.nodes[0]?.operator}.onnx`)
  await writeFile(path, encodeOnnxModel(contents))
  const graph = await runtime.loadGraph(path, { threads })
  onTestFinished(() => graph.release())
  return graph
}

const ids = (...values: number[]) => runtime.intTensor(values, [values.length])

describe('a graph', () => {
  test('describes its inputs, outputs and metadata', async () => {
    const { inputs, outputs, metadata } = await load()

    expect(inputs).toEqual([
      { name: 'rows', dims: [null, 2] },
      { name: 'ids', dims: [null] },
    ])
    expect(outputs.map(({ name }) => name)).toEqual(['product', 'found'])
    expect(metadata).toEqual({ model_type: 'product', n_mels: '80' })
  })

  test.each([1, 3])('computes outputs for %i rows, in the order asked for', async (count) => {
    const graph = await load()
    const numbers = Float32Array.from({ length: count * 2 }, (_, at) => at)

    const [found, result] = await graph.run({ rows: runtime.floatTensor(numbers, [count, 2]), ids: ids(2, 0) }, [
      'found',
      'product',
    ])

    expect(found?.dims).toEqual([2, 2])
    expect(found?.read()).toEqual(Float32Array.of(4, 5, 0, 1))
    expect(result?.dims).toEqual([count, 3])
    expect(result?.read().slice(0, 3)).toEqual(Float32Array.of(10, 20, 30))
  })

  test('takes inputs and returns outputs without rows', async () => {
    const graph = await load()
    const rows = runtime.floatTensor(new Float32Array(), [0, 2])

    const [result] = await graph.run({ rows, ids: ids() }, ['product'])

    expect(result?.dims).toEqual([0, 3])
    expect(result?.read()).toEqual(new Float32Array())
  })

  test('computes the same with several threads', async () => {
    const size = 256
    const values = Array.from({ length: size * size }, (_, at) => (at % 7) - 3)
    const square: OnnxModelDefinition = {
      inputs: [{ name: 'in', type: 'float', dims: [size, size] }],
      outputs: [{ name: 'out', type: 'float', dims: [size, size] }],
      nodes: [{ operator: 'MatMul', inputs: ['in', 'matrix'], outputs: ['out'] }],
      weights: { matrix: { dims: [size, size], values } },
    }
    const input = runtime.floatTensor(Float32Array.from(values), [size, size])

    const [one] = await (await load(square, 1)).run({ in: input }, ['out'])
    const [four] = await (await load(square, 4)).run({ in: input }, ['out'])

    expect(four?.read()).toEqual(one?.read())
  })

  test('runs beside another, with outputs of one as inputs of the other', async () => {
    const graph = await load()
    const doubling = await load({
      inputs: [{ name: 'in', type: 'float', dims: ['n', 'm'] }],
      outputs: [{ name: 'out', type: 'float', dims: ['n', 'm'] }],
      nodes: [{ operator: 'Add', inputs: ['in', 'in'], outputs: ['out'] }],
    })
    const rows = runtime.floatTensor(Float32Array.of(1, 1), [1, 2])

    const runs = [1, 2].map(async (id) => {
      const [found] = await graph.run({ rows, ids: ids(id) }, ['found'])
      if (!found) throw new Error('The graph returned nothing')
      const [doubled] = await doubling.run({ in: found }, ['out'])
      return [...(doubled?.read() ?? [])]
    })

    expect(await Promise.all(runs)).toEqual([
      [4, 6],
      [8, 10],
    ])
  })

  test('takes selected rows of integers', async () => {
    const graph = await load()
    const rows = runtime.floatTensor(Float32Array.of(1, 1), [1, 2])
    const selected = ids(0, 1, 2).select(0, [2, 2])

    const [found] = await graph.run({ rows, ids: selected }, ['found'])

    expect(found?.read()).toEqual(Float32Array.of(4, 5, 4, 5))
  })

  test('finishes a run during which it and its inputs are released, and rejects later ones', async () => {
    const graph = await load()
    const rows = runtime.floatTensor(Float32Array.of(1, 1), [1, 2])
    const inputs = { rows, ids: ids(1) }

    const run = graph.run(inputs, ['product'])
    rows.release()
    graph.release()

    expect((await run)[0]?.read()).toEqual(Float32Array.of(11, 22, 33))
    await expect(graph.run(inputs, ['product'])).rejects.toThrow('The graph was released')
  })

  test.each([0, -1, 1.5, Number.NaN])('is not loaded with %d threads', async (threads) => {
    await expect(load(product, threads)).rejects.toThrow('Threads must be an integer of 1 or more')
  })
})

describe('a run rejects', () => {
  test('a missing input', async () => {
    const graph = await load()
    await expect(graph.run({ ids: ids(0) }, ['product'])).rejects.toThrow(/Missing Input: rows/)
  })

  test('names that the graph does not have', async () => {
    const graph = await load()
    const inputs = { rows: runtime.floatTensor(Float32Array.of(1, 1), [1, 2]), ids: ids(0) }

    await expect(graph.run({ ...inputs, more: ids(0) }, ['product'])).rejects.toThrow(/Invalid.*more/)
    await expect(graph.run(inputs, ['quotient'])).rejects.toThrow(/Invalid.*quotient/)
    await expect(graph.run(inputs, [])).rejects.toThrow(/output/i)
  })

  test.each([
    ['of the wrong dims', () => runtime.floatTensor(new Float32Array(3), [1, 3]), /invalid dimensions for input: rows/],
    ['of the wrong type', () => runtime.intTensor([1, 2], [1, 2]), /Unexpected input data type/],
    ['that was not made here', () => ({ ...ids(1) }), /Expected a tensor of this runtime/],
    ['that was released', releasedTensor, /The tensor was released/],
  ])('a tensor %s', async (_, createRows, message) => {
    const graph = await load()
    await expect(graph.run({ rows: createRows(), ids: ids(0) }, ['product'])).rejects.toThrow(message)
  })

  test('ids beyond the table, and runs again', async () => {
    const graph = await load()
    const rows = runtime.floatTensor(Float32Array.of(1, 1), [1, 2])

    await expect(graph.run({ rows, ids: ids(3) }, ['found'])).rejects.toThrow(/out of data bounds/)
    expect((await graph.run({ rows, ids: ids(1) }, ['found']))[0]?.read()).toEqual(Float32Array.of(2, 3))
  })
})

function releasedTensor() {
  const tensor = runtime.floatTensor(new Float32Array(2), [1, 2])
  tensor.release()
  return tensor
}

describe('a file is not loaded', () => {
  test.each([
    ['that is missing', async () => {}],
    ['that is empty', async (path: string) => writeFile(path, '')],
    ['of another format', async (path: string) => writeFile(path, Buffer.alloc(100_000, 'x'))],
    ['that ends inside its weights', cutFile],
    ['with an operator that does not exist', async (path: string) => writeFile(path, withOperator('Matmul'))],
  ])('%s, and the process goes on', async (_, write) => {
    const path = join(folder, 'damaged.onnx')
    await write(path)

    await expect(runtime.loadGraph(path, { threads: 1 })).rejects.toThrow(/\w/)
    expect((await load()).metadata).toHaveProperty('model_type')
  })
})

async function cutFile(path: string): Promise<void> {
  const contents = encodeOnnxModel(product)
  await writeFile(path, contents)
  await truncate(path, Math.floor(contents.length / 2))
}

function withOperator(operator: string): Buffer {
  return encodeOnnxModel({ ...product, nodes: product.nodes.map((node) => ({ ...node, operator })) })
}

test.each([
  ['that is missing', '/missing/libonnxruntime.so', /could not be loaded: .*libonnxruntime.so/],
  ['without onnxruntime', addonPath, /could not be loaded: .*is another library/],
])('a library %s is an error', async (_, libraryPath, message) => {
  // In another process, because this one keeps the library it has loaded.
  const script = `
    const { createOnnxRuntime } = await import(${JSON.stringify(join(import.meta.dirname, 'onnx-runtime.ts'))})
    try { createOnnxRuntime({ libraryPath: ${JSON.stringify(libraryPath)} }) } catch (error) { console.log(error.message) }`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])

  expect(stdout).toMatch(message)
})
