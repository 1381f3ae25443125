import { sampleRate } from '#engine/audio/decoded-audio.ts'

/** Points of a Fourier transform: a window of 25 ms. */
export const fourierSize = 400

/** A triangular filter: the weights of the bins of the power spectrum from `firstBin` on; all others are 0. */
export interface MelBand {
  firstBin: number
  weights: Float64Array
}

/** Slaney's mel scale: linear up to 1000 Hz (15 mel), then 27 mel for a factor of 6.4. */
const linearHz = 1000
const linearMel = 15
const melPerLog = 27 / Math.log(6.4)

/** Returns the filters from 0 Hz to half the sample rate, each of the same area. Source: librosa.filters.mel, of which Whisper has a copy. */
export function createMelBands(count: number): MelBand[] {
  const highestMel = linearMel + melPerLog * Math.log(sampleRate / 2 / linearHz)
  const edgeHz = (edge: number) => toHz((highestMel * edge) / (count + 1))
  return Array.from({ length: count }, (_, band) => createBand(edgeHz(band), edgeHz(band + 1), edgeHz(band + 2)))
}

function toHz(mel: number): number {
  return mel < linearMel ? (mel * linearHz) / linearMel : linearHz * Math.exp((mel - linearMel) / melPerLog)
}

function createBand(lowHz: number, centerHz: number, highHz: number): MelBand {
  const binHz = sampleRate / fourierSize
  const firstBin = Math.floor(lowHz / binHz) + 1
  const lastBin = Math.min(fourierSize / 2, Math.ceil(highHz / binHz) - 1)
  const weights = Float64Array.from({ length: Math.max(0, lastBin - firstBin + 1) }, (_, at) => {
    const hz = (firstBin + at) * binHz
    const height = Math.min((hz - lowHz) / (centerHz - lowHz), (highHz - hz) / (highHz - centerHz))
    return (Math.max(0, height) * 2) / (highHz - lowHz)
  })
  return { firstBin, weights }
}
