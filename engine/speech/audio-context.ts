import { sampleRate } from '#engine/audio/decoded-audio.ts'

/** Number of 20 ms encoder positions with which Whisper was trained: 30 s. */
export const maxAudioContext = 1500

/** The factor that stands for all positions, however short the window is. */
export const wholeContext = 30

/**
 * Returns the audio context of a window in encoder positions of 20 ms: all 1500, as Whisper was trained, or, for a model trained with less,
 * `factor` times the window's length as a multiple of 64, but at least the model's minimum. The encoder's cost is proportional to it.
 */
export function computeAudioContext(sampleCount: number, minAudioContext: number, factor: number): number {
  if (factor >= wholeContext) return maxAudioContext
  const positions = (factor * sampleCount * 50) / sampleRate
  return Math.min(maxAudioContext, Math.max(minAudioContext, Math.ceil(positions / 64) * 64))
}
