import { deflateSync } from 'node:zlib'

/**
 * How many times smaller a text becomes by compression: what a decoder in a loop writes is above 2.4, what people say below.
 * Source: OpenAI's Whisper, `compression_ratio` in utils.py.
 */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text)
  return bytes.length === 0 ? 0 : bytes.length / deflateSync(bytes).length
}
