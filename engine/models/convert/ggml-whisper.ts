import { open } from 'node:fs/promises'
import { findGgmlProblem } from '../ggml-file.ts'
import { createGgmlReader } from '../ggml-reader.ts'
import type { GgmlReader } from '../ggml-reader.ts'
import { findAlignmentHeads } from './alignment-heads.ts'
import { damagedFile, notConvertible } from './conversion-error.ts'
import { countElements, formatBytes, requireShape } from './stored-tensor.ts'
import type { NumberFormat, StoredTensor } from './stored-tensor.ts'
import { countWords } from './vocabulary.ts'
import { requireWhisperSizes } from './whisper-source.ts'
import type { WhisperSource } from './whisper-source.ts'
import { listWhisperTensors } from './whisper-tensors.ts'
import type { WhisperSizes } from './whisper-tensors.ts'

/** Tensor types (ggml.h, enum ggml_type) that are not quantized. */
const formats: Record<number, NumberFormat> = { 0: 'f32', 1: 'f16' }

/**
 * Opens a Whisper in ggml format with floats or half floats. Such a file does not say which heads follow the audio, so they are derived
 * from its sizes.
 *
 * @throws AppError `model_unavailable` for another file, an incomplete one, and quantized weights
 */
export async function openGgmlWhisper(path: string): Promise<WhisperSource> {
  const problem = await findGgmlProblem(path)
  if (problem !== undefined) throw damagedFile(path, problem)
  await using file = await open(path)
  const reader = createGgmlReader(file, (await file.stat()).size)
  const sizes = await readSizes(reader)
  requireWhisperSizes(sizes, path)
  const words = await readWords(reader, sizes, path)
  const stored = await readTensors(reader, path)
  const tensors = new Map<string, StoredTensor>()
  for (const { name, shape } of listWhisperTensors(sizes)) {
    const tensor = stored.get(name)
    if (!tensor) throw damagedFile(path, `it has no tensor ${name}`)
    requireShape(tensor, shape)
    tensors.set(name, tensor)
  }
  return { sizes, words, tensors, alignmentHeads: findAlignmentHeads(sizes) }
}

/** Reads the header and skips the filters, which follow from the number of bands. */
async function readSizes(reader: GgmlReader): Promise<WhisperSizes> {
  const [, vocabulary = 0, audioContext = 0, audioState = 0, audioHeads = 0, audioLayers = 0, ...rest] =
    await reader.ints(12)
  const [textContext = 0, textState = 0, textHeads = 0, textLayers = 0, melBands = 0] = rest
  const [bands = 0, bins = 0] = await reader.ints(2)
  reader.skip(bands * bins * 4)
  const audio = { audioContext, audioState, audioHeads, audioLayers }
  return { vocabulary, ...audio, textContext, textState, textHeads, textLayers, melBands }
}

/** Returns the text tokens; a file may list special tokens after them. */
async function readWords(reader: GgmlReader, { vocabulary }: WhisperSizes, path: string): Promise<Buffer[]> {
  const [listed = 0] = await reader.ints(1)
  const words: Buffer[] = []
  for (let word = 0; word < listed; word += 1) {
    const [length = 0] = await reader.ints(1)
    words.push(await reader.bytes(length))
  }
  const wordCount = countWords(vocabulary)
  if (listed >= wordCount) return words.slice(0, wordCount)
  throw damagedFile(path, `it has ${listed} words, where a Whisper of ${vocabulary} tokens has ${wordCount}`)
}

async function readTensors(reader: GgmlReader, path: string): Promise<Map<string, StoredTensor>> {
  const tensors = new Map<string, StoredTensor>()
  while (!reader.isAtEnd()) {
    const [dims = 0, nameBytes = 0, type = -1] = await reader.ints(3)
    const shape = (await reader.ints(dims)).toReversed()
    const name = (await reader.bytes(nameBytes)).toString()
    const format = formats[type]
    if (!format) {
      throw notConvertible(
        `The weights in ${path} are quantized; only those of f16 and f32 files can be written in another format.`,
        'Get the file of the same model that is not quantized, such as ggml-base.bin instead of ggml-base-q5_1.bin.',
      )
    }
    tensors.set(name, { path, name, position: reader.position(), format, shape })
    reader.skip(countElements(shape) * formatBytes[format])
  }
  return tensors
}
