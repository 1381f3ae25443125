import { open, rename, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { cancellationError } from '#engine/child/child-process.ts'
import { quantizeQ8 } from '../quantize-ggml.ts'
import { assertFreeSpace, assertSize } from '../disk.ts'
import { damagedFile } from './conversion-error.ts'
import { createMelFilters, melFilterBins } from './mel-filters.ts'
import { countElements, readNumbers } from './stored-tensor.ts'
import type { TensorValues, StoredTensor } from './stored-tensor.ts'
import type { WhisperSource } from './whisper-source.ts'
import { listWhisperTensors } from './whisper-tensors.ts'
import type { GgmlTensor, WhisperSizes } from './whisper-tensors.ts'

/** Progress in bytes of weights. */
export interface ConversionProgress {
  done: number
  total: number
}

export interface WriteOptions {
  /** By default, matrices are half floats. */
  quantize?: 'q8_0'
  signal?: AbortSignal
  onProgress?: (progress: ConversionProgress) => void
}

const magic = 0x67676d6c
/** Tensor types (ggml.h, enum ggml_type). */
const tensorTypes = { f32: 0, f16: 1, q8_0: 8 } as const
type TensorType = keyof typeof tensorTypes
interface TensorPlan {
  tensor: GgmlTensor
  type: TensorType
}
/** File types (ggml.h, enum ggml_ftype); those of quantized files have GGML_QNT_VERSION as their thousands. */
const fileTypes = { f16: 1, q8_0: 2 * 1000 + 7 } as const
/** Elements read at a time: whole blocks of q8_0, which take a few megabytes of memory for a model of any size. */
const chunkElements = 1024 * 1024

/**
 * Writes a model as a whisper.cpp ggml file, which appears at `path` when it is complete. Keeps one chunk of one tensor in memory.
 *
 * @throws AppError `disk_full` before anything is written
 */
export async function writeGgml(source: WhisperSource, path: string, options: WriteOptions): Promise<void> {
  const plans = listWhisperTensors(source.sizes).map((tensor) => ({ tensor, type: typeOf(tensor, options.quantize) }))
  await assertFreeSpace(dirname(path), countBytes(plans))
  const partPath = `${path}.part`
  try {
    await using output = await open(partPath, 'w')
    const head = encodeHead(source, options.quantize ?? 'f16')
    // Unlike write(), appendFile() continues after a partial write.
    await output.appendFile(head)
    await writeTensors(source, plans, output, options)
    await output.sync()
    const tensorHeads = plans.reduce((sum, { tensor, type }) => sum + encodeTensorHead(tensor, type).length, 0)
    await assertSize(output, partPath, head.length + tensorHeads + countBytes(plans))
    await rename(partPath, path)
    await using folder = await open(dirname(path))
    await folder.sync()
  } catch (error) {
    await rm(partPath, { force: true })
    throw error
  }
}

/** Encodes header, mel filters and vocabulary. */
function encodeHead({ sizes, words }: WhisperSource, type: keyof typeof fileTypes): Buffer {
  return Buffer.concat([
    int32s(magic, ...headerSizes(sizes), fileTypes[type]),
    int32s(sizes.melBands, melFilterBins),
    Buffer.from(createMelFilters(sizes.melBands).buffer),
    int32s(words.length),
    ...words.flatMap((word) => [int32s(word.length), word]),
  ])
}

function headerSizes(sizes: WhisperSizes): number[] {
  const { audioContext, audioState, audioHeads, audioLayers } = sizes
  const { textContext, textState, textHeads, textLayers } = sizes
  const audio = [audioContext, audioState, audioHeads, audioLayers]
  return [sizes.vocabulary, ...audio, textContext, textState, textHeads, textLayers, sizes.melBands]
}

async function writeTensors(
  source: WhisperSource,
  plans: TensorPlan[],
  output: FileHandle,
  options: WriteOptions,
): Promise<void> {
  const total = countBytes(plans)
  let done = 0
  for (const { tensor, type } of plans) {
    const stored = source.tensors.get(tensor.name)
    if (!stored) throw new Error(`Nothing was found for the tensor ${tensor.name}.`)
    await output.appendFile(encodeTensorHead(tensor, type))
    for await (const numbers of readChunks(stored)) {
      if (options.signal?.aborted) throw cancellationError(options.signal)
      const bytes = encodeNumbers(numbers, type, stored)
      await output.appendFile(bytes)
      done += bytes.length
      options.onProgress?.({ done, total })
    }
  }
}

function countBytes(plans: TensorPlan[]): number {
  return plans.reduce((sum, { tensor, type }) => sum + bytesOf(countElements(tensor.shape), type), 0)
}

/** Quantizes matrices and keeps convolutions as half floats, as whisper.cpp's `quantize` tool does. */
function typeOf({ shape, type }: GgmlTensor, quantize: WriteOptions['quantize']): TensorType {
  return quantize && type === 'f16' && shape.length === 2 ? quantize : type
}

function bytesOf(elements: number, type: TensorType): number {
  if (type === 'q8_0') return (elements / 32) * 34
  return elements * (type === 'f16' ? 2 : 4)
}

function encodeTensorHead({ name, shape }: GgmlTensor, type: TensorType): Buffer {
  const head = int32s(shape.length, name.length, tensorTypes[type], ...shape.toReversed())
  return Buffer.concat([head, Buffer.from(name)])
}

async function* readChunks(stored: StoredTensor): AsyncGenerator<TensorValues> {
  await using file = await open(stored.path)
  const elements = countElements(stored.shape)
  for (let first = 0; first < elements; first += chunkElements) {
    yield await readNumbers(file, stored, first, Math.min(chunkElements, elements - first))
  }
}

/** Rounds weights to half floats before quantizing, so that the file equals the one that `quantize` makes from the f16 file. */
function encodeNumbers(numbers: TensorValues, type: TensorType, stored: StoredTensor): Buffer {
  const rounded = type === 'f32' ? new Float32Array(numbers) : toHalves(numbers)
  if (!isFinite(rounded)) {
    throw damagedFile(stored.path, `${stored.name} holds a number that is not finite or too large for 16 bits`)
  }
  return type === 'q8_0' ? quantizeQ8(new Float32Array(rounded)) : Buffer.from(rounded.buffer)
}

function toHalves(numbers: TensorValues): TensorValues {
  return numbers instanceof Float16Array ? numbers : new Float16Array(numbers)
}

/** Compares the bits of half floats, which is several times faster than comparing their values. */
function isFinite(numbers: TensorValues): boolean {
  if (numbers instanceof Float32Array) return numbers.every(Number.isFinite)
  const exponent = 0x7c00
  return new Uint16Array(numbers.buffer).every((bits) => (bits & exponent) !== exponent)
}

function int32s(...values: number[]): Buffer {
  return Buffer.from(Int32Array.from(values).buffer)
}
