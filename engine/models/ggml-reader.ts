import type { FileHandle } from 'node:fs/promises'

/** Reads a ggml file from its beginning. Returns zeros beyond the end. */
export interface GgmlReader {
  ints(count: number): Promise<number[]>
  bytes(count: number): Promise<Buffer>
  /** Advances without reading. */
  skip(bytes: number): void
  position(): number
  isAtEnd(): boolean
  isBeyondEnd(): boolean
}

/** Reads in blocks of 1 MiB, which is more than any name or word; weights are skipped. */
export function createGgmlReader(file: FileHandle, size: number): GgmlReader {
  const buffer = Buffer.alloc(1024 * 1024)
  let bufferStart = 0
  let bufferEnd = 0
  let position = 0
  /** Advances by `bytes` and returns where they begin in the buffer. */
  async function take(bytes: number): Promise<number> {
    if (position < bufferStart || position + bytes > bufferEnd) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
      bufferStart = position
      bufferEnd = position + bytesRead
      buffer.fill(0, bytesRead)
    }
    position += bytes
    return position - bytes - bufferStart
  }
  return {
    async ints(count) {
      const at = await take(count * 4)
      return Array.from({ length: count }, (_, index) => buffer.readInt32LE(at + index * 4))
    },
    async bytes(count) {
      const at = await take(count)
      return Buffer.from(buffer.subarray(at, at + count))
    },
    skip(bytes) {
      position += bytes
    },
    position: () => position,
    isAtEnd: () => position === size,
    isBeyondEnd: () => position > size,
  }
}
