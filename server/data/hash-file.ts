import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

/** Returns the size of a file and its SHA-256 in hexadecimal. Throws the file system's error if it cannot be read. */
export function hashFile(path: string): Promise<{ sizeBytes: number; sha256: string }> {
  return hashStream(createReadStream(path))
}

/** Returns the size of a stream's content and its SHA-256 in hexadecimal. Throws the stream's error. */
export async function hashStream(stream: Readable): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}
