import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Returns the size of a file and its SHA-256 in hexadecimal. Throws the error of the file system where it cannot be read. */
export async function hashFile(path: string): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}
