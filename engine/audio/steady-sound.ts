import { frameMs } from './decoded-audio.ts'
import { percentile } from './levels.ts'

/** A shorter stretch may be a held vowel. */
const leastMs = 1500
/** 10 log10 of energy. Speech of that length was never below 5.6 dB (500 utterances of the demo test set), tones never above 0.5 dB. */
const mostSpread = 10 ** (1.5 / 10)
/** Levels are means over 100 ms: two tones of a ringing telephone beat faster than that. */
const meanFrames = 5

/**
 * Whether the level of a long stretch hardly moves (1.5 dB between the 10th and the 90th percentile): ringing, dial and hold tones, hum
 * that sets in, a fan. Speech is words and pauses.
 *
 * @param frames RMS of 20 ms frames
 * @param start first frame of the stretch
 * @param end the frame after its last
 */
export function isSteadySound(frames: Float32Array, start: number, end: number): boolean {
  if ((end - start) * frameMs < leastMs) return false
  // The edges rise and fall in any sound.
  const inner = frames.subarray(start + meanFrames, end - meanFrames)
  const energies = new Float32Array(inner.length - meanFrames + 1)
  for (let at = 0; at < energies.length; at += 1) {
    let sum = 0
    for (const level of inner.subarray(at, at + meanFrames)) sum += level * level
    energies[at] = sum
  }
  return percentile(energies, 0.9) <= percentile(energies, 0.1) * mostSpread
}
