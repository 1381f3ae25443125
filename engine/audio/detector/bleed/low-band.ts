import { sampleRate } from '../../decoded-audio.ts'

/** In Hz. Voices have most of their energy below half this rate, and comparing channels costs a quarter of what it costs at 16 kHz. */
export const lowBandRate = 4000

const step = sampleRate / lowBandRate
const cutoffHz = 1500
const tapCount = 12 * step
/** A low-pass filter (windowed sinc) that keeps aliasing low: aliased sound would depend on the delay. */
const taps = Float64Array.from({ length: tapCount }, (_, tap) => {
  const at = tap - (tapCount - 1) / 2
  const window = 0.54 + 0.46 * Math.cos((2 * Math.PI * at) / tapCount)
  const angle = (2 * Math.PI * cutoffHz * at) / sampleRate
  return (window * Math.sin(angle)) / (Math.PI * at)
})

/** Samples at 16 kHz that the filter reads before and after the wanted ones. */
export const lowBandMargin = tapCount

/**
 * Returns one channel at 4 kHz as differences of neighboring samples, which flattens the spectrum of a voice and removes any DC offset and
 * mains hum. `samples` are interleaved, begin `lowBandMargin` before the first wanted sample and end just as far after the last.
 */
export function toLowBand(samples: Int16Array, channel: number, channelCount: number): Float32Array {
  const own = new Float32Array(samples.length / channelCount)
  for (let at = 0; at < own.length; at += 1) own[at] = (samples[at * channelCount + channel] ?? 0) / 32_768
  const band = new Float32Array(Math.max(0, Math.floor((own.length - 2 * lowBandMargin) / step)))
  let previous = filterAt(own, lowBandMargin - step)
  for (let at = 0; at < band.length; at += 1) {
    const value = filterAt(own, lowBandMargin + at * step)
    band[at] = value - previous
    previous = value
  }
  return band
}

/** The taps are symmetric. */
function filterAt(samples: Float32Array, middle: number): number {
  let sum = 0
  let low = middle - tapCount / 2
  let high = low + tapCount - 1
  for (let tap = 0; tap < tapCount / 2; tap += 1) {
    sum += (taps[tap] ?? 0) * ((samples[low] ?? 0) + (samples[high] ?? 0))
    low += 1
    high -= 1
  }
  return sum
}
