import { createHash } from 'node:crypto'
import { seededRandom, wavHeader } from './audio.ts'

/** Returns a WAV file of this size that contains noise, no two stretches of which are alike. */
export function noiseFile(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array(sizeBytes)
  const random = seededRandom(sizeBytes)
  const words = new Uint32Array(content.buffer, 0, Math.floor(sizeBytes / 4))
  for (let at = 0; at < words.length; at += 1) words[at] = random() * 2 ** 32
  content.set(wavHeader(sizeBytes - 44, 2, 48_000))
  return content
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
