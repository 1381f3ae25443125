import { frameSamples, sampleRate } from '#engine/audio/decoded-audio.ts'
import { percentile } from '#engine/audio/levels.ts'

/** Audio sampled at 8 kHz, such as telephone audio, has nothing above 4 kHz. The cutoff is higher because resamplers leak just above it. */
const cutoffHz = 4900
const tapCount = 63
/** Speech with less energy than this above 4 kHz is telephone audio. */
const maxTelephoneDb = -52

/** Measures how much of a sound's energy lies above 4 kHz. */
export interface BandMeter {
  add(samples: Float32Array): void
  /**
   * Returns that energy in dB relative to the total energy. Uses the 80th percentile of the frames, because a clipped peak covers the
   * whole band, but only in a few frames. -Infinity if there is no sound.
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

export function classifyBand(highDb: number): 'telephone' | 'wide' {
  return highDb < maxTelephoneDb ? 'telephone' : 'wide'
}

/** Taps of a high-pass filter: the unit impulse minus a windowed sinc (Blackman). */
const taps = Float32Array.from({ length: tapCount }, (_, index) => {
  const k = index - (tapCount - 1) / 2
  const lowPass =
    k === 0 ? (2 * cutoffHz) / sampleRate : Math.sin((2 * Math.PI * cutoffHz * k) / sampleRate) / (Math.PI * k)
  const phase = (2 * Math.PI * index) / (tapCount - 1)
  const blackman = 0.42 - 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase)
  return (k === 0 ? 1 : 0) - lowPass * blackman
})
