import { solvePositive } from './solve-positive.ts'
import { bandFrameSamples, energyOf, marginSamples, maxBleedEnergy } from './passage.ts'
import type { Passage } from './passage.ts'

/** 6 ms, of which 2 ms are before the delay: the path of crosstalk and of a line's echo. */
export const tapCount = 24
export const tapsBeforeDelay = 8
/** Half a second: with less, a filter would also fit what only happens to resemble. */
const minFrames = 25
const rounds = 4
/** Where the other channel is this far below its loud frames it says nothing, 30 dB. */
const minVoiceEnergy = 0.001
/** Bleed this far below the other voice, 50 dB, is not heard, and needs no closer fit. */
const minResidual = 1e-5
/** Relative to the energy: keeps the solution finite where the other channel holds a single tone. */
const loading = 1e-4

/** What a frame adds to the equations, divided by the energy of the other channel in it. */
interface FrameTerms {
  ownEnergy: number
  /** Products of the other channel's samples at each pair of taps, row by row. */
  products: Float64Array
  /** Products of the channel's own samples with the other's at each tap. */
  cross: Float64Array
}

/**
 * Returns the filter that makes of `other` what is heard of it in `own`; undefined where it is too seldom the louder one to tell. Least
 * squares in which a frame counts the more, the less of it the filter of the round before left: so what the channel's own speaker says
 * does not distort the filter, however loud it is.
 */
export function fitFilter(passages: readonly Passage[], delay: number): Float64Array | undefined {
  const frames = listFrames(passages, delay)
  if (frames.length < minFrames) return undefined
  let filter = new Float64Array(tapCount)
  for (let round = 0; round < rounds; round += 1) {
    const products = new Float64Array(tapCount * tapCount)
    const cross = new Float64Array(tapCount)
    let total = 0
    for (const frame of frames) {
      const weight = 1 / (residualOf(frame, filter) + minResidual)
      addScaled(products, frame.products, weight)
      addScaled(cross, frame.cross, weight)
      total += weight
    }
    for (let tap = 0; tap < tapCount; tap += 1) {
      const at = tap * (tapCount + 1)
      products[at] = (products[at] ?? 0) + (loading * total) / tapCount
    }
    filter = solvePositive(products, cross)
  }
  return filter
}

function listFrames(passages: readonly Passage[], delay: number): FrameTerms[] {
  const places = passages.flatMap((passage) =>
    Array.from({ length: passage.frameCount }, (_, frame) => {
      const start = marginSamples + frame * bandFrameSamples
      const ownEnergy = energyOf(passage.own, start, bandFrameSamples)
      return { passage, start, ownEnergy, otherEnergy: energyOf(passage.other, start - delay, bandFrameSamples) }
    }),
  )
  const loudest = places.reduce((most, { otherEnergy }) => Math.max(most, otherEnergy), 0)
  return places
    .filter(
      ({ ownEnergy, otherEnergy }) =>
        otherEnergy > loudest * minVoiceEnergy && ownEnergy <= otherEnergy * maxBleedEnergy,
    )
    .map(({ passage, start, ownEnergy, otherEnergy }) => ({
      ownEnergy: ownEnergy / otherEnergy,
      ...multiplyTaps(passage, { start, first: start - delay + tapsBeforeDelay, scale: 1 / otherEnergy }),
    }))
}

/** Multiplies the samples of a frame with those that the taps read: `first` is where the first tap reads the other channel. */
function multiplyTaps(
  { own, other }: Passage,
  { start, first, scale }: { start: number; first: number; scale: number },
): Pick<FrameTerms, 'products' | 'cross'> {
  const products = new Float64Array(tapCount * tapCount)
  const cross = new Float64Array(tapCount)
  for (let tap = 0; tap < tapCount; tap += 1) {
    let [product, crossing] = [0, 0]
    for (let at = 0; at < bandFrameSamples; at += 1) {
      const delayed = other[first - tap + at] ?? 0
      product += (other[first + at] ?? 0) * delayed
      crossing += (own[start + at] ?? 0) * delayed
    }
    products[tap] = product * scale
    cross[tap] = crossing * scale
  }
  // The next row is the one above, one sample earlier: only the ends of the sums differ.
  for (let row = 1; row < tapCount; row += 1) {
    const [enters, leaves] = [first - row, first - row + bandFrameSamples]
    for (let tap = row; tap < tapCount; tap += 1) {
      const above = products[(row - 1) * tapCount + tap - 1] ?? 0
      const entering = (other[enters] ?? 0) * (other[first - tap] ?? 0)
      const leaving = (other[leaves] ?? 0) * (other[first - tap + bandFrameSamples] ?? 0)
      products[row * tapCount + tap] = above + (entering - leaving) * scale
    }
  }
  for (let row = 1; row < tapCount; row += 1) {
    for (let tap = 0; tap < row; tap += 1) products[row * tapCount + tap] = products[tap * tapCount + row] ?? 0
  }
  return { products, cross }
}

/** Returns the energy of a frame that the filter leaves. */
function residualOf({ ownEnergy, products, cross }: FrameTerms, filter: Float64Array): number {
  let energy = ownEnergy
  for (let row = 0; row < tapCount; row += 1) {
    let sum = 0
    for (let tap = 0; tap < tapCount; tap += 1) sum += (products[row * tapCount + tap] ?? 0) * (filter[tap] ?? 0)
    energy += (filter[row] ?? 0) * (sum - 2 * (cross[row] ?? 0))
  }
  return Math.max(0, energy)
}

function addScaled(target: Float64Array, values: Float64Array, scale: number): void {
  for (let at = 0; at < target.length; at += 1) target[at] = (target[at] ?? 0) + (values[at] ?? 0) * scale
}
