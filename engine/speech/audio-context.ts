import { sampleRate } from '#engine/audio/decoded-audio.ts'

/** Encoder positions of 20 ms that Whisper was trained with: 30 s. */
export const maxAudioContext = 1500

/**
 * Returns the audio context of a window in encoder positions of 20 ms: `factor` times its length as a multiple of 64, at least the model's
 * minimum and at most Whisper's 1500. The encoder's cost is proportional to it, so a short window is many times cheaper than a full one.
 */
export function computeAudioContext(sampleCount: number, minAudioContext: number, factor = 1): number {
  const positions = (factor * sampleCount * 50) / sampleRate
  return Math.min(maxAudioContext, Math.max(minAudioContext, Math.ceil(positions / 64) * 64))
}
