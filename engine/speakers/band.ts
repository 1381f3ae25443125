import { frameSamples, sampleRate } from '#engine/audio/decoded-audio.ts'
import { percentile } from '#engine/audio/levels.ts'

/** What a telephone, or any sound of 8 kHz, cannot hold. The filter's skirt lies above 4 kHz, where resamplers leave a little. */
const cutoffHz = 4900
const tapCount = 63
/** Speech with less than this above 4 kHz came through a telephone. */
const telephoneBelowDb = -52

/** Measures how much of a sound's energy lies above 4 kHz. */
export interface BandMeter {
  add(samples: Float32Array): void
  /**
   * In dB of the whole energy, by the level that four of five frames stay below: a clipped peak reaches over the whole band, but
   * only in a few frames. -Infinity for no sound at all.
   */
  highDb(): number
}

export function createBandMeter(): BandMeter {
  const highs: number[] = []
  let whole = 0
  return {
    add(samples) {
      for (let start = tapCount - 1; start + frameSamples <= samples.length; start += frameSamples) {
        const energy = measureFrame(samples, start)
        highs.push(energy.high)
        whole += energy.whole
      }
    },
    highDb() {
      if (whole === 0) return Number.NEGATIVE_INFINITY
      const high = percentile(new Float32Array(highs), 0.8) * highs.length
      return 10 * Math.log10(high / whole + Number.MIN_VALUE)
    },
  }
}

function measureFrame(samples: Float32Array, start: number): { high: number; whole: number } {
  let [high, whole] = [0, 0]
  for (let at = start; at < start + frameSamples; at += 1) {
    let sum = 0
    for (let tap = 0; tap < tapCount; tap += 1) sum += (samples[at - tap] ?? 0) * (taps[tap] ?? 0)
    high += sum * sum
    whole += (samples[at] ?? 0) ** 2
  }
  return { high, whole }
}

export function bandOf(highDb: number): 'telephone' | 'wide' {
  return highDb < telephoneBelowDb ? 'telephone' : 'wide'
}

/** A high-pass: the unit impulse less a windowed sinc (Blackman). */
const taps = Float32Array.from({ length: tapCount }, (_, index) => {
  const k = index - (tapCount - 1) / 2
  const lowPass =
    k === 0 ? (2 * cutoffHz) / sampleRate : Math.sin((2 * Math.PI * cutoffHz * k) / sampleRate) / (Math.PI * k)
  const phase = (2 * Math.PI * index) / (tapCount - 1)
  const blackman = 0.42 - 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase)
  return (k === 0 ? 1 : 0) - lowPass * blackman
})
