import { sampleRate } from '#engine/audio/decoded-audio.ts'

/** whisper.cpp reads past the end of audio shorter than 10 ms and transcribes nothing from audio shorter than 100 ms. */
const minSeconds = 1

/** Returns samples that whisper.cpp accepts: a new array of at least one second, with NaN and infinities replaced by 0. */
export function prepareSamples(samples: Float32Array): Float32Array<ArrayBuffer> {
  const prepared = new Float32Array(Math.max(samples.length, minSeconds * sampleRate))
  for (const [at, sample] of samples.entries()) prepared[at] = Number.isFinite(sample) ? sample : 0
  return prepared
}
