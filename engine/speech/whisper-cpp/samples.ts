import { sampleRate } from '#engine/audio/decoded-audio.ts'

/** whisper.cpp reads beyond the end of audio shorter than 10 ms, and transcribes nothing in less than 100 ms. */
const minSeconds = 1

/** Returns samples that whisper.cpp accepts: a new array of at least one second, with NaN and infinities replaced by 0. */
export function prepareSamples(samples: Float32Array): Float32Array<ArrayBuffer> {
  const prepared = new Float32Array(Math.max(samples.length, minSeconds * sampleRate))
  for (const [at, sample] of samples.entries()) prepared[at] = Number.isFinite(sample) ? sample : 0
  return prepared
}

/**
 * Returns the audio context of a window in encoder positions of 20 ms: `factor` times its length as a multiple of 64, at least the model's
 * minimum and at most Whisper's 1500. The encoder's cost is proportional to it, so a short window is many times cheaper than a full one.
 */
export function computeAudioContext(sampleCount: number, minAudioContext: number, factor = 1): number {
  const positions = (factor * sampleCount * 50) / sampleRate
  return Math.min(1500, Math.max(minAudioContext, Math.ceil(positions / 64) * 64))
}
