import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tensorTypes } from './tensor-types.ts'

/** Metadata of a GGUF file; undefined if a key is missing. */
export interface GgufMetadata {
  /** Such as `gemma3`. */
  architecture: string | undefined
  name: string | undefined
  licence: string | undefined
  /** Language codes. */
  languages: string[]
  hasChatTemplate: boolean
}

const magic = 0x46554747
const firstReadBytes = 4 * 1024 * 1024
/** Far above the size of any vocabulary: 262,144 tokens with their scores take 10 MB. */
const maxHeaderBytes = 256 * 1024 * 1024
const defaultAlignment = 32
/** GGML_MAX_DIMS of ggml.h. */
const maxDimensions = 4
/** Longer arrays are vocabularies, which are skipped. */
const maxArrayLength = 1000

/** Sizes of the value types by type number (gguf.h, enum gguf_type); 8 is a string, 9 an array. */
const valueBytes: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 }
const stringType = 8
const arrayType = 9
const uint32Type = 4

/**
 * Parses the header of a GGUF file and compares the size that it implies with the actual size: a truncated download has a complete
 * header but lacks tensors. Returns the metadata, or what is wrong with the file, including when its numbers do not yield a size.
 */
export async function readGguf(path: string): Promise<{ metadata: GgufMetadata } | { problem: string }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    for (let bytes = firstReadBytes; ; bytes *= 4) {
      const header = await readStart(file, Math.min(bytes, size))
      const read = tryParse(header, size)
      if (read) return read
      if (bytes >= size) return { problem: 'it ends inside its header' }
      if (bytes >= maxHeaderBytes) return { problem: 'its header is damaged' }
    }
  } finally {
    await file.close()
  }
}

async function readStart(file: FileHandle, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes)
  const { bytesRead } = await file.read(buffer, 0, bytes, 0)
  return buffer.subarray(0, bytesRead)
}

/** Returns undefined if the header is longer than the bytes that were read. */
function tryParse(header: Buffer, fileBytes: number): { metadata: GgufMetadata } | { problem: string } | undefined {
  try {
    return parse(header, fileBytes)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Throws RangeError beyond the end of `header`, as reads of a Buffer do. */
function parse(header: Buffer, fileBytes: number): { metadata: GgufMetadata } | { problem: string } {
  if (header.length < 4 || header.readUInt32LE(0) !== magic) return { problem: 'it is not a GGUF file' }
  const reader = createReader(header)
  const version = reader.uint32()
  if (version < 2 || version > 3) return { problem: `its GGUF version ${version} is not known` }
  const tensorCount = reader.uint64()
  const valueCount = reader.uint64()
  if (tensorCount > 100_000 || valueCount > 100_000) return { problem: 'its header is damaged' }
  const values = new Map<string, unknown>()
  for (let index = 0; index < valueCount; index++) {
    const key = reader.text()
    const type = reader.uint32()
    if (!(type in valueBytes) && type !== stringType && type !== arrayType) return { problem: 'its header is damaged' }
    values.set(key, reader.value(type))
  }
  if (tensorCount === 0) return { problem: 'it has a vocabulary but no weights' }
  const alignment = values.has('general.alignment') ? values.get('general.alignment') : defaultAlignment
  if (!isPowerOfTwo(alignment))
    return { problem: 'its header is damaged: the alignment of its weights is no power of two' }
  let weightBytes = 0
  for (let index = 0; index < tensorCount; index++) {
    const end = readTensorEnd(reader)
    if (end === undefined) return { problem: 'its header is damaged: the size of its weights cannot be calculated' }
    weightBytes = Math.max(weightBytes, end)
  }
  const wholeBytes = Math.ceil(reader.position() / alignment) * alignment + weightBytes
  if (wholeBytes > fileBytes) {
    return { problem: `it ends inside its weights: it has ${fileBytes} of at least ${wholeBytes} bytes` }
  }
  return { metadata: toMetadata(values) }
}

/** llama.cpp aborts the process on any other alignment. */
function isPowerOfTwo(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && Number.isInteger(Math.log2(value))
}

/** Returns where the data of a tensor ends, relative to the start of all tensor data; undefined if its numbers yield no exact size. */
function readTensorEnd(reader: Reader): number | undefined {
  reader.text()
  const dimensions = reader.uint32()
  if (dimensions > maxDimensions) return undefined
  const sizes = Array.from({ length: dimensions }, () => reader.uint64())
  const type = tensorTypes[reader.uint32()]
  const offset = reader.uint64()
  const elements = sizes.reduce((product, size) => product * size, 1)
  // A tensor type from a newer llama.cpp has an unknown size, so only its offset is checked.
  const end = offset + (type ? (elements / type.elements) * type.bytes : 1)
  const isExact = [...sizes, elements, offset, end].every((value) => value <= Number.MAX_SAFE_INTEGER)
  return isExact && elements > 0 ? end : undefined
}

interface Reader {
  position(): number
  uint32(): number
  uint64(): number
  text(): string
  value(type: number): unknown
}

function createReader(buffer: Buffer): Reader {
  let at = 4
  const skip = (bytes: number) => {
    at += bytes
    if (at > buffer.length) throw new RangeError('beyond the end')
  }
  const skipTexts = (count: number) => {
    for (let index = 0; index < count; index++) skip(reader.uint64())
  }
  const reader: Reader = {
    position: () => at,
    uint32() {
      skip(4)
      return buffer.readUInt32LE(at - 4)
    },
    uint64() {
      skip(8)
      return Number(buffer.readBigUInt64LE(at - 8))
    },
    text() {
      const bytes = reader.uint64()
      skip(bytes)
      return buffer.toString('utf8', at - bytes, at)
    },
    /** Returns strings, arrays of strings and 32-bit integers; skips all other values. */
    value(type) {
      if (type === stringType) return reader.text()
      if (type === uint32Type) return reader.uint32()
      if (type !== arrayType) return skip(valueBytes[type] ?? 0)
      const elementType = reader.uint32()
      const count = reader.uint64()
      if (elementType in valueBytes) return skip((valueBytes[elementType] ?? 0) * count)
      if (elementType !== stringType) throw new RangeError('nested lists')
      if (count > maxArrayLength) return skipTexts(count)
      return Array.from({ length: count }, () => reader.text())
    },
  }
  return reader
}

function toMetadata(values: Map<string, unknown>): GgufMetadata {
  const text = (key: string) => {
    const value = values.get(key)
    return typeof value === 'string' ? value : undefined
  }
  const languages = values.get('general.languages')
  return {
    architecture: text('general.architecture'),
    name: text('general.name'),
    licence: text('general.license'),
    languages: Array.isArray(languages) ? languages.map(String) : [],
    hasChatTemplate: values.has('tokenizer.chat_template'),
  }
}
