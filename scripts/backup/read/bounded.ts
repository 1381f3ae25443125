import { buffer } from 'node:stream/consumers'

/** Reads a stream into memory. Throws an Error where it is longer than `maxBytes`. */
export async function readBounded(content: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  return buffer(bounded(content, maxBytes))
}

async function* bounded(content: AsyncIterable<Uint8Array>, maxBytes: number) {
  let sizeBytes = 0
  for await (const chunk of content) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new Error('it holds a file that is too large')
    yield chunk
  }
}
