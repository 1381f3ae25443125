import { createComplexArray, createFourierTransform } from './fourier.ts'
import type { ComplexArray } from './fourier.ts'
import { bandFrameSamples, energyOf, marginSamples, maxAdvanceSamples, maxBleedEnergy, maxDelaySamples } from './passage.ts'
import type { Passage } from './passage.ts'

const size = 2048
const lagCount = maxDelaySamples + maxAdvanceSamples
/** 220 ms, so that a block and all lags fit into the transform. */
const blockSamples = Math.floor((size - lagCount) / bandFrameSamples) * bandFrameSamples
const transform = createFourierTransform(size)

/**
 * Returns how many samples of the low band `own` is behind `other` where it resembles it most; undefined where the other channel is never
 * the louder one. Each block counts the same, however loud it is, and its strongest frequencies count less (generalized
 * cross-correlation with half of the phase transform), because a voice resembles itself one period later.
 */
export function findDelay(passages: readonly Passage[]): number | undefined {
  const sum = createComplexArray(size)
  let blockCount = 0
  for (const passage of passages) {
    const endSample = passage.frameCount * bandFrameSamples
    for (let start = 0; start < endSample; start += blockSamples) {
      const count = Math.min(blockSamples, endSample - start)
      if (addBlock(sum, passage, { start: marginSamples + start, count })) blockCount += 1
    }
  }
  if (blockCount === 0) return undefined
  transform(sum)
  let best = 0
  for (let lag = 1; lag < lagCount; lag += 1) {
    if (Math.abs(sum.real[lag] ?? 0) > Math.abs(sum.real[best] ?? 0)) best = lag
  }
  return maxDelaySamples - best
}

/** Adds the cross-spectrum of a block, scaled to a sum of one, and returns whether the block was used. */
function addBlock(
  sum: ComplexArray,
  { own, other }: Passage,
  { start, count }: { start: number; count: number },
): boolean {
  const otherCount = lagCount + count
  const otherStart = start - maxDelaySamples
  const ownEnergy = energyOf(own, start, count) / count
  const otherEnergy = energyOf(other, otherStart, otherCount) / otherCount
  if (ownEnergy === 0 || ownEnergy > otherEnergy * maxBleedEnergy) return false
  // One transform for both: the spectrum of a real signal is the even or the odd part.
  const both = createComplexArray(size)
  both.real.set(own.subarray(start, start + count))
  both.imaginary.set(other.subarray(otherStart, otherStart + otherCount))
  // Levels of the same order keep the parts apart at the precision of the sum.
  const scale = Math.sqrt(ownEnergy / otherEnergy)
  both.imaginary.forEach((value, at) => (both.imaginary[at] = value * scale))
  transform(both)
  addCrossSpectrum(sum, both)
  return true
}

function addCrossSpectrum(sum: ComplexArray, { real, imaginary }: ComplexArray): void {
  const cross = createComplexArray(size)
  let total = 0
  for (let bin = 0; bin < size; bin += 1) {
    const mirrored = bin === 0 ? 0 : size - bin
    const [r, i, mr, mi] = [real[bin] ?? 0, imaginary[bin] ?? 0, real[mirrored] ?? 0, imaginary[mirrored] ?? 0]
    const [ownReal, ownImaginary] = [(r + mr) / 2, (i - mi) / 2]
    const [otherReal, otherImaginary] = [(i + mi) / 2, (mr - r) / 2]
    // The conjugate of own times other, conjugated once more, so that a forward transform inverts it.
    const crossReal = ownReal * otherReal + ownImaginary * otherImaginary
    const crossImaginary = ownImaginary * otherReal - ownReal * otherImaginary
    const root = Math.sqrt(Math.hypot(crossReal, crossImaginary))
    if (root === 0) continue
    cross.real[bin] = crossReal / root
    cross.imaginary[bin] = crossImaginary / root
    total += root
  }
  if (total === 0) return
  for (let bin = 0; bin < size; bin += 1) {
    sum.real[bin] = (sum.real[bin] ?? 0) + (cross.real[bin] ?? 0) / total
    sum.imaginary[bin] = (sum.imaginary[bin] ?? 0) + (cross.imaginary[bin] ?? 0) / total
  }
}
