import { sampleRate } from '#engine/audio/decoded-audio.ts'

const tailMs = 1000

/**
 * Samples as whisper.cpp can take them: a new Float32Array with NaN and infinities as 0 (it aborts on them) and one second of
 * silence behind. It refuses audio of less than a second and never looks at the last one, so a shorter or a longer tail would
 * lose speech or have it listen to silence alone, which is where it invents words.
 */
export function prepareSamples(samples: Float32Array): Float32Array<ArrayBuffer> {
  const prepared = new Float32Array(samples.length + (tailMs * sampleRate) / 1000)
  for (const [at, sample] of samples.entries()) prepared[at] = Number.isFinite(sample) ? sample : 0
  return prepared
}

/**
 * How many encoder positions (20 ms each) a window needs, its tail included: a multiple of 64, at least what the model works with
 * and at most Whisper's 1500. The encoder's cost follows this number, so a short window is many times cheaper than a full one.
 */
export function audioContext(sampleCount: number, minAudioContext: number): number {
  const positions = (sampleCount * 50) / sampleRate + (tailMs * 50) / 1000
  return Math.min(1500, Math.max(minAudioContext, Math.ceil(positions / 64) * 64))
}
