import { frameMs } from '../../decoded-audio.ts'
import { lowBandRate } from './low-band.ts'

/** Samples of a 20 ms frame in the low band. */
export const bandFrameSamples = (lowBandRate * frameMs) / 1000

/** Bleed arrives up to a quarter of a second late (line echo), or a little early where a recorder shifted its channels. */
export const maxDelaySamples = lowBandRate / 4
export const maxAdvanceSamples = lowBandRate / 25
/** Samples before and after a passage that a delayed copy and its filter can reach. */
export const marginSamples = maxDelaySamples + 2 * bandFrameSamples

/** A passage in which both channels hold a voice, in the low band. */
export interface OverlapPassage {
  firstFrame: number
  frameCount: number
  /** The channel that may hold bleed, and the channel it may come from; both with `marginSamples` before and after the passage. */
  own: Float32Array
  other: Float32Array
}

/** A frame can only be bleed if the energy of the other channel exceeds this share of the frame's energy, -4.4 dB. */
export const maxBleedEnergy = 0.36

/** Returns the energy of `count` samples. */
export function energyOf(samples: Float32Array, start: number, count: number): number {
  let energy = 0
  for (let at = start; at < start + count; at += 1) energy += (samples[at] ?? 0) ** 2
  return energy
}
