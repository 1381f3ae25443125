import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'

/** Metadata of an ONNX file by key. */
type OnnxMetadata = Map<string, string>

/** Fields of ModelProto (onnx.proto3): those read here, and all that exist. */
const fields = { irVersion: 1, graph: 7, metadata: 14 }
const knownFields = new Set([1, 2, 3, 4, 5, 6, 7, 8, 14, 20, 25, 26])
const maxMetadataBytes = 1024 * 1024
const varint = 0
const bytes = 2
const notOnnx = 'it is not a model in ONNX format'

/**
 * Parses the outer structure of an ONNX file, a protobuf message, without its weights. Returns its metadata, or what is wrong with it:
 * onnxruntime aborts the process on garbage, and sherpa-onnx on missing metadata.
 */
export async function readOnnx(path: string): Promise<{ metadata: OnnxMetadata } | { problem: string }> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    return await readModel(file, size)
  } finally {
    await file.close()
  }
}

async function readModel(file: FileHandle, size: number): Promise<{ metadata: OnnxMetadata } | { problem: string }> {
  const metadata: OnnxMetadata = new Map()
  const seen = new Set<number>()
  let position = 0
  while (position < size) {
    const header = await readAt(file, position, 20)
    const tag = readVarint(header, 0)
    const value = tag && readVarint(header, tag.next)
    if (!tag || !value) return { problem: seen.has(fields.graph) ? 'it ends or is damaged behind its graph' : notOnnx }
    const [number, kind] = [tag.value >>> 3, tag.value & 7]
    if (!knownFields.has(number) || (kind !== varint && kind !== bytes)) return { problem: notOnnx }
    seen.add(number)
    position += value.next
    if (kind === varint) continue
    if (position + value.value > size) {
      return { problem: seen.has(fields.irVersion) ? 'it ends inside its weights' : notOnnx }
    }
    if (number === fields.metadata && value.value <= maxMetadataBytes) {
      const [key, text] = readPair(await readAt(file, position, value.value))
      metadata.set(key, text)
    }
    position += value.value
  }
  if (!seen.has(fields.irVersion) || !seen.has(fields.graph)) return { problem: notOnnx }
  return { metadata }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length)
  const { bytesRead } = await file.read(buffer, 0, length, position)
  return buffer.subarray(0, bytesRead)
}

/** Returns a number up to 2^53 and the position after it; undefined if the buffer ends before the number does. */
function readVarint(buffer: Buffer, from: number): { value: number; next: number } | undefined {
  let value = 0
  for (let at = from; at < Math.min(buffer.length, from + 8); at += 1) {
    const byte = buffer[at] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (at - from))
    if (byte < 0x80) return { value, next: at + 1 }
  }
  return undefined
}

/** Parses a StringStringEntryProto: field 1 is the key, field 2 the value. */
function readPair(entry: Buffer): [key: string, value: string] {
  const pair = ['', '']
  for (let at = 0; at < entry.length;) {
    const tag = readVarint(entry, at)
    const length = tag && readVarint(entry, tag.next)
    if (!tag || !length) break
    pair[(tag.value >>> 3) - 1] = entry.toString('utf8', length.next, length.next + length.value)
    at = length.next + length.value
  }
  return [pair[0] ?? '', pair[1] ?? '']
}
