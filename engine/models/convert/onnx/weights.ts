import { open } from 'node:fs/promises'
import { damagedFile } from '../conversion-error.ts'
import { countElements, readNumbers } from '../stored-tensor.ts'
import type { StoredTensor } from '../stored-tensor.ts'
import type { GraphWeight } from './onnx-graph.ts'

/** Rows of a matrix, or part of a vector. */
export interface WeightPart {
  /** Zeros of that length if there is no such tensor. */
  tensor: StoredTensor | { zeros: number }
  /** The factor by which its numbers are multiplied; 1 by default. */
  factor?: number
}

/** A matrix of 8-bit integers with, for each of its outputs, the factor that restores the numbers and the sum of the integers. */
export interface QuantizedWeight {
  integers: GraphWeight
  scales: GraphWeight
  sums: GraphWeight
}

/** Numbers read at a time from a tensor that is not transposed. */
const chunkNumbers = 1024 * 1024
const maxInteger = 127

/** Returns tensors one after another as floats, in the given shape. */
export function floatWeight(parts: WeightPart[], dims: number[]): GraphWeight {
  return {
    type: 'float32',
    dims,
    async *read() {
      for (const part of parts) {
        for await (const numbers of readPart(part)) yield toBytes(numbers)
      }
    },
  }
}

/** Transposes a matrix with one output per row, as in Whisper's files, to one output per column, as MatMul needs it. */
export function transposedMatrix(parts: WeightPart[]): GraphWeight {
  const { rows, columns } = sizeOf(parts)
  return {
    type: 'float32',
    dims: [columns, rows],
    async *read() {
      const numbers = await readWhole(parts, rows * columns)
      yield toBytes(transpose(numbers, new Float32Array(numbers.length), rows))
    },
  }
}

/**
 * Returns such a matrix as 8-bit integers with one scale per output, rounded as in onnxruntime's quantize_dynamic (symmetric, per channel).
 * Scales and sums are known once the integers have been read.
 */
export function quantizedMatrix(parts: WeightPart[]): QuantizedWeight {
  const { rows, columns } = sizeOf(parts)
  const perRow = createRowFigures(rows)
  return {
    integers: {
      type: 'int8',
      dims: [columns, rows],
      async *read() {
        const numbers = await readWhole(parts, rows * columns)
        const integers = quantizeRows(numbers, perRow)
        yield toBytes(transpose(integers, new Int8Array(integers.length), rows))
      },
    },
    ...toWeights(perRow),
  }
}

/** Returns the integers, scales and sums of `quantizedMatrix` with one output per row, reading a few rows at a time. */
export function quantizedTable(parts: WeightPart[]): QuantizedWeight {
  const { rows, columns } = sizeOf(parts)
  const { scales, sums } = createRowFigures(rows)
  const rowsPerChunk = Math.max(1, Math.floor(chunkNumbers / columns))
  return {
    integers: {
      type: 'int8',
      dims: [rows, columns],
      async *read() {
        let row = 0
        for (const part of parts) {
          for await (const numbers of readPart(part, rowsPerChunk * columns)) {
            const [from, to] = [row, row + numbers.length / columns]
            yield toBytes(quantizeRows(numbers, { scales: scales.subarray(from, to), sums: sums.subarray(from, to) }))
            row = to
          }
        }
      },
    },
    ...toWeights({ scales, sums }),
  }
}

/** What is known about each row of a matrix once it is quantized. */
interface RowFigures {
  scales: Float32Array
  sums: Int32Array
}

function createRowFigures(rows: number): RowFigures {
  return { scales: new Float32Array(rows), sums: new Int32Array(rows) }
}

function toWeights({ scales, sums }: RowFigures): Pick<QuantizedWeight, 'scales' | 'sums'> {
  return {
    scales: { type: 'float32', dims: [scales.length], read: () => [toBytes(scales)] },
    sums: { type: 'int32', dims: [sums.length], read: () => [toBytes(sums)] },
  }
}

function sizeOf(parts: WeightPart[]): { rows: number; columns: number } {
  const shapes = parts.map(({ tensor }) => ('zeros' in tensor ? [] : tensor.shape))
  const rows = shapes.reduce((sum, [count = 0]) => sum + count, 0)
  return { rows, columns: shapes[0]?.[1] ?? 0 }
}

async function readWhole(parts: WeightPart[], length: number): Promise<Float32Array> {
  const whole = new Float32Array(length)
  let at = 0
  for (const part of parts) {
    for await (const numbers of readPart(part)) {
      whole.set(numbers, at)
      at += numbers.length
    }
  }
  return whole
}

async function* readPart({ tensor, factor = 1 }: WeightPart, chunk = chunkNumbers): AsyncGenerator<Float32Array> {
  if ('zeros' in tensor) {
    yield new Float32Array(tensor.zeros)
    return
  }
  await using file = await open(tensor.path)
  const length = countElements(tensor.shape)
  for (let first = 0; first < length; first += chunk) {
    const numbers = new Float32Array(await readNumbers(file, tensor, first, Math.min(chunk, length - first)))
    if (!numbers.every(Number.isFinite))
      throw damagedFile(tensor.path, `${tensor.name} holds a number that is not finite`)
    if (factor !== 1) for (let at = 0; at < numbers.length; at += 1) numbers[at] = (numbers[at] ?? 0) * factor
    yield numbers
  }
}

/** Quantizes rows in single precision and fills in their scales and sums; a row of zeros has the scale 1. */
function quantizeRows(numbers: Float32Array, { scales, sums }: RowFigures): Int8Array {
  const integers = new Int8Array(numbers.length)
  const columns = numbers.length / scales.length
  for (let row = 0; row < scales.length; row += 1) {
    const start = row * columns
    let largest = 0
    for (let at = start; at < start + columns; at += 1) largest = Math.max(largest, Math.abs(numbers[at] ?? 0))
    const scale = Math.fround(largest / maxInteger) || 1
    scales[row] = scale
    let sum = 0
    for (let at = start; at < start + columns; at += 1) {
      const rounded = roundToEven(Math.fround((numbers[at] ?? 0) / scale))
      sum += integers[at] = Math.max(-maxInteger, Math.min(maxInteger, rounded))
    }
    sums[row] = sum
  }
  return integers
}

/** Rounds halves to the nearest even number, as numpy does. */
function roundToEven(value: number): number {
  const rounded = Math.round(value)
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

function transpose<Numbers extends Float32Array | Int8Array>(
  numbers: Numbers,
  transposed: Numbers,
  rows: number,
): Numbers {
  const columns = numbers.length / rows
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      transposed[column * rows + row] = numbers[row * columns + column] ?? 0
    }
  }
  return transposed
}

function toBytes({ buffer, byteOffset, byteLength }: Float32Array | Int8Array | Int32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
