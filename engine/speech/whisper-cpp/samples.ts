import { sampleRate } from '#engine/audio/decoded-audio.ts'

/** whisper.cpp reads beyond the end of less than a hundredth of a second, and hears nothing in less than a tenth. */
const minSeconds = 1

/** Samples as whisper.cpp can take them: a new Float32Array of at least one second, NaN and infinities as 0. */
export function prepareSamples(samples: Float32Array): Float32Array<ArrayBuffer> {
  const prepared = new Float32Array(Math.max(samples.length, minSeconds * sampleRate))
  for (const [at, sample] of samples.entries()) prepared[at] = Number.isFinite(sample) ? sample : 0
  return prepared
}

/**
 * How many encoder positions (20 ms each) a window gets: `factor` times its length as a multiple of 64, at least what the model works
 * with and at most Whisper's 1500. The encoder's cost follows this number, so a short window is many times cheaper than a full one.
 */
export function audioContext(sampleCount: number, minAudioContext: number, factor = 1): number {
  const positions = (factor * sampleCount * 50) / sampleRate
  return Math.min(1500, Math.max(minAudioContext, Math.ceil(positions / 64) * 64))
}
