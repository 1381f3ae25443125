import type { FileHandle } from 'node:fs/promises'
import { notConvertible } from './conversion-error.ts'

/** Bytes per element of each storage format. */
export const formatBytes = { f32: 4, f16: 2, bf16: 2, i16: 2, i8: 1 } as const
export type NumberFormat = keyof typeof formatBytes

/** The location of a tensor in a file, in row-major order. */
export interface StoredTensor {
  path: string
  /** The tensor's name in that file, for messages. */
  name: string
  position: number
  format: NumberFormat
  /** Outermost dimension first. */
  shape: number[]
  /** For integers: the factors by which they were multiplied, one for all or one per row. */
  scales?: TensorValues
}

/** Throws `model_unavailable` if a tensor does not have the shape that its model needs. Trailing dimensions of size one are ignored. */
export function requireShape(tensor: StoredTensor, expected: number[]): void {
  if (withoutOnes(tensor.shape) === withoutOnes(expected)) return
  throw notConvertible(
    `The tensor ${tensor.name} in ${tensor.path} is ${describeShape(tensor.shape)} where this model needs ${describeShape(expected)}.`,
    'The files of the folder belong to different models: download the whole folder again.',
  )
}

function withoutOnes(shape: number[]): string {
  return shape.join('x').replace(/(x1)+$/, '')
}

function describeShape(shape: number[]): string {
  return shape.length === 0 ? 'a single number' : shape.join(' x ')
}

export function countElements(shape: number[]): number {
  return shape.reduce((product, size) => product * size, 1)
}

/** Returns one of several equal parts of a tensor's rows. */
export function takeRows(tensor: StoredTensor, part: number, parts: number): StoredTensor {
  const [rows = 0, ...inner] = tensor.shape
  const partRows = rows / parts
  const first = part * partRows
  return {
    ...tensor,
    position: tensor.position + first * countElements(inner) * formatBytes[tensor.format],
    shape: [partRows, ...inner],
    ...(tensor.scales && {
      scales: tensor.scales.length === 1 ? tensor.scales : tensor.scales.slice(first, first + partRows),
    }),
  }
}

export type TensorValues = Float32Array<ArrayBuffer> | Float16Array<ArrayBuffer>

/** Reads `count` numbers of a tensor, starting at the element `first`. */
export async function readNumbers(
  file: FileHandle,
  tensor: StoredTensor,
  first: number,
  count: number,
): Promise<TensorValues> {
  const elementBytes = formatBytes[tensor.format]
  // A separate ArrayBuffer, so that a typed array can start at its beginning.
  const bytes = Buffer.from(new ArrayBuffer(count * elementBytes))
  const { bytesRead } = await file.read(bytes, 0, bytes.length, tensor.position + first * elementBytes)
  if (bytesRead < bytes.length) throw new RangeError(`${tensor.path} ended inside ${tensor.name}.`)
  const numbers = toNumbers(bytes.buffer, tensor.format)
  if (tensor.scales) divideByScales(numbers, tensor, tensor.scales, first)
  return numbers
}

function toNumbers(buffer: ArrayBuffer, format: NumberFormat): TensorValues {
  switch (format) {
    case 'f32':
      return new Float32Array(buffer)
    case 'f16':
      return new Float16Array(buffer)
    case 'bf16':
      return widenBfloat16(new Uint16Array(buffer))
    case 'i16':
      return new Float32Array(new Int16Array(buffer))
    case 'i8':
      return new Float32Array(new Int8Array(buffer))
  }
}

/** A bfloat16 is the upper half of a float. */
function widenBfloat16(halves: Uint16Array): Float32Array<ArrayBuffer> {
  const bits = new Uint32Array(halves.length)
  for (let index = 0; index < halves.length; index += 1) bits[index] = (halves[index] ?? 0) << 16
  return new Float32Array(bits.buffer)
}

function divideByScales(numbers: TensorValues, tensor: StoredTensor, scales: TensorValues, first: number): void {
  const rowElements = countElements(tensor.shape) / scales.length
  for (let index = 0; index < numbers.length; index += 1) {
    numbers[index] = (numbers[index] ?? 0) / (scales[Math.floor((first + index) / rowElements)] ?? 1)
  }
}
