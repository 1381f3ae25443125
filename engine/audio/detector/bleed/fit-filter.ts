import { solvePositive } from './solve-positive.ts'
import { bandFrameSamples, energyOf, marginSamples, maxBleedEnergy } from './passage.ts'
import type { OverlapPassage } from './passage.ts'

/** 6 ms, including 2 ms before the delay: the length of the path of crosstalk and of line echo. */
export const tapCount = 24
export const tapsBeforeDelay = 8
/** Half a second: with less, a filter would also fit sounds that are only similar by chance. */
const minFrames = 25
const rounds = 4
/** 30 dB: where the other channel is this far below its loud frames, it says nothing about bleed. */
const minVoiceEnergy = 0.001
/** 50 dB: bleed this far below the other voice is inaudible and needs no closer fit. */
const minResidual = 1e-5
/** Relative to the energy: keeps the solution finite if the other channel holds only a single tone. */
const loading = 1e-4

/** Using more frames of a group does not improve the filter. */
const maxFrames = 600
/** Number of distinct values of a symmetric matrix, stored row by row starting at the diagonal. */
const productCount = (tapCount * (tapCount + 1)) / 2

/** What each frame adds to the equations, divided by the energy of the other channel in that frame. */
interface FrameTerms {
  count: number
  ownEnergies: Float64Array
  /** Products of the other channel's samples at each pair of taps, `productCount` per frame. */
  products: Float64Array
  /** Products of the channel's own samples with the other's at each tap, `tapCount` per frame. */
  cross: Float64Array
}

/**
 * Returns the filter that turns `other` into what is heard of it in `own`; undefined if `other` is too rarely the louder one to tell.
 * This is a least-squares fit in which a frame weighs more the less the previous round's filter left of it, so that what the channel's own
 * speaker says does not distort the filter, however loud it is.
 */
export function fitFilter(passages: readonly OverlapPassage[], delay: number): Float64Array | undefined {
  const places = listPlaces(passages, delay)
  if (places.length < minFrames) return undefined
  const terms = multiplyFrames(places, delay)
  let filter = new Float64Array(tapCount)
  for (let round = 0; round < rounds; round += 1) filter = solveWeighted(terms, filter)
  return filter
}

interface Place {
  passage: OverlapPassage
  start: number
  ownEnergy: number
  otherEnergy: number
}

/** Returns frames, evenly spread, in which the other channel holds a voice and is the louder one. */
function listPlaces(passages: readonly OverlapPassage[], delay: number): Place[] {
  const places = passages.flatMap((passage) =>
    Array.from({ length: passage.frameCount }, (_, frame) => {
      const start = marginSamples + frame * bandFrameSamples
      const ownEnergy = energyOf(passage.own, start, bandFrameSamples)
      return { passage, start, ownEnergy, otherEnergy: energyOf(passage.other, start - delay, bandFrameSamples) }
    }),
  )
  const loudest = places.reduce((most, { otherEnergy }) => Math.max(most, otherEnergy), 0)
  const useful = places.filter(
    ({ ownEnergy, otherEnergy }) => otherEnergy > loudest * minVoiceEnergy && ownEnergy <= otherEnergy * maxBleedEnergy,
  )
  const step = Math.ceil(useful.length / maxFrames)
  return useful.filter((_, index) => index % step === 0)
}

function multiplyFrames(places: readonly Place[], delay: number): FrameTerms {
  const terms: FrameTerms = {
    count: places.length,
    ownEnergies: new Float64Array(places.length),
    products: new Float64Array(places.length * productCount),
    cross: new Float64Array(places.length * tapCount),
  }
  for (const [index, { passage, start, ownEnergy, otherEnergy }] of places.entries()) {
    terms.ownEnergies[index] = ownEnergy / otherEnergy
    const products = terms.products.subarray(index * productCount, (index + 1) * productCount)
    const cross = terms.cross.subarray(index * tapCount, (index + 1) * tapCount)
    multiplyTaps(
      passage,
      { start, first: start - delay + tapsBeforeDelay, scale: 1 / otherEnergy },
      { products, cross },
    )
  }
  return terms
}

/** Multiplies the samples of a frame by those that the taps read; `first` is where the first tap reads the other channel. */
function multiplyTaps(
  { own, other }: OverlapPassage,
  { start, first, scale }: { start: number; first: number; scale: number },
  { products, cross }: Pick<FrameTerms, 'products' | 'cross'>,
): void {
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
  // A product equals the one in the previous row and column, shifted by one sample: only the ends of the sums differ.
  let above = 0
  let at = tapCount
  for (let row = 1; row < tapCount; row += 1) {
    const entering = other[first - row] ?? 0
    const leaving = other[first - row + bandFrameSamples] ?? 0
    for (let tap = row; tap < tapCount; tap += 1) {
      const entered = entering * (other[first - tap] ?? 0)
      const left = leaving * (other[first - tap + bandFrameSamples] ?? 0)
      products[at] = (products[above] ?? 0) + (entered - left) * scale
      at += 1
      above += 1
    }
    // The last product of the row above has no counterpart in this row.
    above += 1
  }
}

function solveWeighted(terms: FrameTerms, filter: Float64Array): Float64Array<ArrayBuffer> {
  const products = new Float64Array(productCount)
  const cross = new Float64Array(tapCount)
  let total = 0
  for (let frame = 0; frame < terms.count; frame += 1) {
    const weight = 1 / (residualOf(terms, frame, filter) + minResidual)
    addScaled(products, terms.products, frame, weight)
    addScaled(cross, terms.cross, frame, weight)
    total += weight
  }
  return solvePositive(toMatrix(products, (loading * total) / tapCount), cross)
}

/** Returns the share of a frame's energy that the filter leaves. */
function residualOf({ ownEnergies, products, cross }: FrameTerms, frame: number, filter: Float64Array): number {
  let energy = ownEnergies[frame] ?? 0
  let at = frame * productCount
  for (let row = 0; row < tapCount; row += 1) {
    const own = filter[row] ?? 0
    let sum = ((products[at] ?? 0) * own) / 2
    at += 1
    for (let tap = row + 1; tap < tapCount; tap += 1) {
      sum += (products[at] ?? 0) * (filter[tap] ?? 0)
      at += 1
    }
    energy += 2 * own * (sum - (cross[frame * tapCount + row] ?? 0))
  }
  return Math.max(0, energy)
}

/** Adds the scaled part of `values` that belongs to a frame. */
function addScaled(target: Float64Array, values: Float64Array, frame: number, scale: number): void {
  const start = frame * target.length
  for (let at = 0; at < target.length; at += 1) target[at] = (target[at] ?? 0) + (values[start + at] ?? 0) * scale
}

/** Returns the whole matrix, with `added` on its diagonal. */
function toMatrix(products: Float64Array, added: number): Float64Array {
  const matrix = new Float64Array(tapCount * tapCount)
  let at = 0
  for (let row = 0; row < tapCount; row += 1) {
    for (let tap = row; tap < tapCount; tap += 1) {
      const product = (products[at] ?? 0) + (tap === row ? added : 0)
      matrix[row * tapCount + tap] = product
      matrix[tap * tapCount + row] = product
      at += 1
    }
  }
  return matrix
}
