import { sampleRate } from '../../decoded-audio.ts'

/** In Hz. Voices have most of their energy below half of it, and comparing channels costs a quarter of what it costs at 16 kHz. */
export const lowBandRate = 4000

const step = sampleRate / lowBandRate
const tapCount = 6 * step
/** A low-pass below 1.6 kHz (windowed sinc), so that nothing folds into the band. */
const taps = Float64Array.from({ length: tapCount }, (_, tap) => {
  const at = tap - (tapCount - 1) / 2
  const window = 0.54 + 0.46 * Math.cos((2 * Math.PI * at) / tapCount)
  const angle = (2 * Math.PI * 1600 * at) / sampleRate
  return (window * Math.sin(angle)) / (Math.PI * at)
})

/** Samples before and after the wanted ones, at 16 kHz, that the filter reads. */
export const lowBandMargin = tapCount

/**
 * Returns one channel at 4 kHz as differences of neighbouring samples, which flattens the spectrum of a voice and removes a DC offset and
 * mains hum. `samples` are interleaved and begin `lowBandMargin` before the first wanted sample and end as long after the last.
 */
export function toLowBand(samples: Int16Array, channel: number, channelCount: number): Float32Array {
  const count = Math.max(0, Math.floor((samples.length / channelCount - 2 * lowBandMargin) / step))
  const band = new Float32Array(count)
  let previous = filterAt(samples, (lowBandMargin - step) * channelCount + channel, channelCount)
  for (let at = 0; at < count; at += 1) {
    const value = filterAt(samples, (lowBandMargin + at * step) * channelCount + channel, channelCount)
    band[at] = value - previous
    previous = value
  }
  return band
}

function filterAt(samples: Int16Array, middle: number, channelCount: number): number {
  let sum = 0
  let index = middle - (tapCount / 2) * channelCount
  for (let tap = 0; tap < tapCount; tap += 1) {
    sum += (taps[tap] ?? 0) * (samples[index] ?? 0)
    index += channelCount
  }
  return sum / 32_768
}
