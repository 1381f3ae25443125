import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { dot } from './average-linkage.ts'

/** More windows than this are sampled evenly: they tell no more, and time grows with the cube of them. */
const maxWindows = 200
/** Each window is joined to so many others at least: a graph of fewer falls apart by chance. */
const minNeighbours = 6
const goldenRatio = (1 + Math.sqrt(5)) / 2
/** Shares of all windows that each one is joined to, tried in turn. */
const neighbourShares = { least: 0.05, most: 0.4, count: 6 }

/**
 * Returns how many voices these vectors of length 1 are of, from 1 to `maxVoices` (8 by default).
 *
 * Each window is joined to its most similar ones; a graph of k voices nearly falls into k parts, so that the first k eigenvalues of its
 * Laplacian are next to 0 and a gap follows. To how many it is joined is chosen by the clearest gap, so that no threshold has to fit the
 * network, the band or the line. T. J. Park et al., Auto-Tuning Spectral Clustering for Speaker Diarization Using Normalized Maximum
 * Eigengap, IEEE Signal Processing Letters 27 (2020).
 */
export function countVoices(vectors: readonly Float32Array[], { maxVoices = 8 } = {}): number {
  if (vectors.length <= minNeighbours) return 1
  const ranked = rankNeighbours(sample(vectors))
  const gaps = listNeighbourCounts(ranked.length).map((neighbours) => ({
    neighbours,
    ...findGap(ranked, neighbours, maxVoices),
  }))
  const quality = ({ neighbours, gap }: { neighbours: number; gap: number }) => gap / neighbours
  return gaps.reduce((best, other) => (quality(other) > quality(best) ? other : best)).voices
}

/** Spread over all of them, but not in step with anything: turns may take equal time. */
function sample(vectors: readonly Float32Array[]): Float32Array[] {
  if (vectors.length <= maxWindows) return [...vectors]
  const step = vectors.length / maxWindows
  const offset = (index: number) => (index * goldenRatio) % 1
  return Array.from({ length: maxWindows }, (_, index) => vectors[Math.floor((index + offset(index)) * step)]).filter(
    (vector) => vector !== undefined,
  )
}

/** For each vector all, itself included, the most similar first. */
function rankNeighbours(vectors: readonly Float32Array[]): number[][] {
  return vectors.map((vector) => {
    const similarities = vectors.map((other) => dot(vector, other))
    return similarities.map((_, index) => index).toSorted((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0))
  })
}

function listNeighbourCounts(windows: number): number[] {
  const { least, most, count } = neighbourShares
  const [first, last] = [Math.max(minNeighbours, least * windows), Math.max(minNeighbours + 1, most * windows)]
  const steps = Array.from({ length: count }, (_, step) => Math.round(first + ((last - first) * step) / (count - 1)))
  return [...new Set(steps)]
}

/** The largest gap between the first eigenvalues, as a share of the largest one, and after how many it comes. */
function findGap(ranked: readonly number[][], neighbours: number, maxVoices: number): { voices: number; gap: number } {
  const eigenvalues = laplacianEigenvalues(ranked, neighbours)
  const gaps = eigenvalues.slice(0, maxVoices).map((value, index) => (eigenvalues[index + 1] ?? value) - value)
  const gap = Math.max(...gaps)
  return { voices: gaps.indexOf(gap) + 1, gap: gap / Math.max(Number.EPSILON, eigenvalues.at(-1) ?? 0) }
}

/** In ascending order. */
function laplacianEigenvalues(ranked: readonly number[][], neighbours: number): number[] {
  const size = ranked.length
  const laplacian = Matrix.zeros(size, size)
  for (const [row, order] of ranked.entries()) {
    for (const column of order.slice(0, neighbours)) {
      if (column === row) continue
      // Half an edge each way: it is whole where both are near to each other.
      laplacian.set(row, column, laplacian.get(row, column) - 0.5)
      laplacian.set(column, row, laplacian.get(column, row) - 0.5)
      laplacian.set(row, row, laplacian.get(row, row) + 0.5)
      laplacian.set(column, column, laplacian.get(column, column) + 0.5)
    }
  }
  return new EigenvalueDecomposition(laplacian, { assumeSymmetric: true }).realEigenvalues.toSorted((a, b) => a - b)
}
