import { open } from 'node:fs/promises'
import { createGgmlReader } from './ggml-reader.ts'
import type { GgmlReader } from './ggml-reader.ts'
import { tensorTypes } from './tensor-types.ts'

const magic = 0x67676d6c
const headerInts = 12
const maxTensorDims = 4

/**
 * Checks the structure of a Whisper file in ggml format; returns what is wrong with it, or undefined. whisper.cpp itself crashes on
 * garbage and loads a file that ends inside its vocabulary as an empty model, so this check runs first.
 */
export async function findGgmlProblem(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    return await walk(createGgmlReader(file, size))
  } finally {
    await file.close()
  }
}

async function walk(reader: GgmlReader): Promise<string | undefined> {
  const [fileMagic, vocabularySize = 0, , , , audioLayers = 0, , , , textLayers = 0, melBands = 0] =
    await reader.ints(headerInts)
  if (fileMagic !== magic) return 'it is not a Whisper model in ggml format'
  if (!isWithin(vocabularySize, 1000, 200_000) || !isWithin(audioLayers, 1, 100) || !isWithin(textLayers, 1, 100)) {
    return 'its header is damaged'
  }
  const [bands = 0, bins = 0] = await reader.ints(2)
  if (bands !== melBands || !isWithin(bins, 1, 10_000)) return 'its header is damaged'
  reader.skip(bands * bins * 4)
  if (!(await skipVocabulary(reader))) return 'it ends or is damaged inside its vocabulary'
  const tensors = await countTensors(reader)
  // Input, output and position tensors, then 15 per encoder layer and 24 per decoder layer.
  if (tensors !== 11 + 15 * audioLayers + 24 * textLayers) return 'it ends or is damaged inside its weights'
  return undefined
}

async function skipVocabulary(reader: GgmlReader): Promise<boolean> {
  const [words = 0] = await reader.ints(1)
  if (!isWithin(words, 1000, 200_000)) return false
  for (let word = 0; word < words; word++) {
    const [bytes = -1] = await reader.ints(1)
    if (!isWithin(bytes, 0, 10_000) || reader.isBeyondEnd()) return false
    reader.skip(bytes)
  }
  return !reader.isBeyondEnd()
}

/** Returns the number of complete tensors that follow; undefined if the file does not end right after a tensor. */
async function countTensors(reader: GgmlReader): Promise<number | undefined> {
  let count = 0
  while (!reader.isAtEnd()) {
    const [dims = 0, nameBytes = 0, typeNumber = -1] = await reader.ints(3)
    const type = tensorTypes[typeNumber]
    if (!type || !isWithin(dims, 1, maxTensorDims) || !isWithin(nameBytes, 1, 200) || reader.isBeyondEnd())
      return undefined
    const elements = (await reader.ints(dims)).reduce((product, size) => product * size, 1)
    if (elements <= 0) return undefined
    reader.skip(nameBytes + (elements / type.elements) * type.bytes)
    if (reader.isBeyondEnd()) return undefined
    count += 1
  }
  return count
}

function isWithin(value: number, min: number, max: number): boolean {
  return value >= min && value <= max
}
