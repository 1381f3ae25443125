import { createComplexArray, createFourierTransform } from '../../fourier.ts'
import type { ComplexArray } from '../../fourier.ts'
import {
  bandFrameSamples,
  energyOf,
  marginSamples,
  maxAdvanceSamples,
  maxBleedEnergy,
  maxDelaySamples,
} from './passage.ts'
import type { OverlapPassage } from './passage.ts'

const size = 2048
const lagCount = maxDelaySamples + maxAdvanceSamples
/** 220 ms, so that a block and all lags fit into the transform. */
const blockSamples = Math.floor((size - lagCount) / bandFrameSamples) * bandFrameSamples
/** Blocks per group, spread over it: more of them do not make the delay any more certain. */
const maxBlocks = 80
const transform = createFourierTransform(size)

/**
 * Returns the delay of `own` behind `other`, in samples of the low band, at which the two are most alike; undefined if the other channel is
 * never the louder one. Every block counts the same, however loud it is, and its strongest frequencies count less (generalized
 * cross-correlation with half of the phase transform), because a voice resembles itself one period later.
 */
export function findDelay(passages: readonly OverlapPassage[]): number | undefined {
  const sum = createComplexArray(size)
  const blocks = passages.flatMap((passage) => {
    const endSample = passage.frameCount * bandFrameSamples
    return Array.from({ length: Math.ceil(endSample / blockSamples) }, (_, block) => ({
      passage,
      start: marginSamples + block * blockSamples,
      count: Math.min(blockSamples, endSample - block * blockSamples),
    })).filter(isOtherLouder)
  })
  if (blocks.length === 0) return undefined
  const step = Math.ceil(blocks.length / maxBlocks)
  for (const block of blocks.filter((_, index) => index % step === 0)) addBlock(sum, block)
  transform(sum)
  let best = 0
  for (let lag = 1; lag < lagCount; lag += 1) {
    if (Math.abs(sum.real[lag] ?? 0) > Math.abs(sum.real[best] ?? 0)) best = lag
  }
  return maxDelaySamples - best
}

interface Block {
  passage: OverlapPassage
  start: number
  count: number
}

/** Returns the mean energies of a block and of everything that it can be a delayed copy of. */
function energiesOf({ passage: { own, other }, start, count }: Block): { own: number; other: number } {
  const otherCount = lagCount + count
  return {
    own: energyOf(own, start, count) / count,
    other: energyOf(other, start - maxDelaySamples, otherCount) / otherCount,
  }
}

function isOtherLouder(block: Block): boolean {
  const energies = energiesOf(block)
  return energies.own > 0 && energies.own <= energies.other * maxBleedEnergy
}

/** Adds the cross-spectrum of a block, scaled to a sum of one. */
function addBlock(sum: ComplexArray, block: Block): void {
  const { passage, start, count } = block
  const energies = energiesOf(block)
  const first = start - maxDelaySamples
  // One transform for both signals: the even and odd parts of the result are their spectra.
  const both = createComplexArray(size)
  both.real.set(passage.own.subarray(start, start + count))
  both.imaginary.set(passage.other.subarray(first, first + lagCount + count))
  // Similar levels let the two parts be separated without loss of precision.
  const scale = Math.sqrt(energies.own / energies.other)
  for (let at = 0; at < lagCount + count; at += 1) both.imaginary[at] = (both.imaginary[at] ?? 0) * scale
  transform(both)
  addCrossSpectrum(sum, both)
}

function addCrossSpectrum(sum: ComplexArray, { real, imaginary }: ComplexArray): void {
  const cross = createComplexArray(size)
  let total = 0
  for (let bin = 0; bin < size; bin += 1) {
    const mirrored = bin === 0 ? 0 : size - bin
    const [r, i, mr, mi] = [real[bin] ?? 0, imaginary[bin] ?? 0, real[mirrored] ?? 0, imaginary[mirrored] ?? 0]
    const [ownReal, ownImaginary] = [(r + mr) / 2, (i - mi) / 2]
    const [otherReal, otherImaginary] = [(i + mi) / 2, (mr - r) / 2]
    // The conjugate of own times other, conjugated again so that a forward transform inverts it.
    const crossReal = ownReal * otherReal + ownImaginary * otherImaginary
    const crossImaginary = ownImaginary * otherReal - ownReal * otherImaginary
    const root = Math.sqrt(Math.hypot(crossReal, crossImaginary))
    total += root
    cross.real[bin] = root === 0 ? 0 : crossReal / root
    cross.imaginary[bin] = root === 0 ? 0 : crossImaginary / root
  }
  if (total === 0) return
  for (let bin = 0; bin < size; bin += 1) {
    sum.real[bin] = (sum.real[bin] ?? 0) + (cross.real[bin] ?? 0) / total
    sum.imaginary[bin] = (sum.imaginary[bin] ?? 0) + (cross.imaginary[bin] ?? 0) / total
  }
}
