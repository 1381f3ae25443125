import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

const chunkBytes = 256 * 1024

/** Reads an open file from its beginning, at most `maxBytes`. The file stays open. */
export async function* readChunks(file: FileHandle, maxBytes = Infinity): AsyncGenerator<Buffer> {
  for (let position = 0; position < maxBytes;) {
    const length = Math.min(chunkBytes, maxBytes - position)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** Returns the SHA-256 of the first bytes of an open file, in hexadecimal digits. */
export async function hashBeginning(file: FileHandle, sizeBytes: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readChunks(file, sizeBytes)) hash.update(chunk)
  return hash.digest('hex')
}
