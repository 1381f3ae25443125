import { EigenvalueDecomposition, Matrix } from 'ml-matrix'
import { dot } from './average-linkage.ts'

/** More windows than this are sampled evenly: they add no information, and time is cubic in their number. */
const maxWindows = 200
/** Minimum number of neighbors of each window: a sparser graph may be disconnected by chance. */
const minNeighbours = 6
const goldenRatio = (1 + Math.sqrt(5)) / 2
/** Neighbors of each window as a share of all windows: the range, and how many values in it are tried. */
const neighbourShares = { min: 0.05, max: 0.4, count: 6 }

/**
 * Estimates the number of voices from the embeddings of windows (length 1), from 1 to `maxVoices` (8 by default).
 *
 * Each window is connected to the windows most similar to it; with k voices the graph has almost k components, so the first k eigenvalues
 * of its Laplacian are close to 0 and a gap follows. The number of neighbors is the one with the clearest gap, so that no threshold depends
 * on the network, the band or the line. T. J. Park et al., Auto-Tuning Spectral Clustering for Speaker Diarization Using Normalized Maximum
 * Eigengap, IEEE Signal Processing Letters 27 (2020).
 */
export function countVoices(embeddings: readonly Float32Array[], { maxVoices = 8 } = {}): number {
  if (embeddings.length <= minNeighbours) return 1
  const ranked = rankNeighbours(sample(embeddings))
  const gaps = listNeighbourCounts(ranked.length).map((neighbours) => ({
    neighbours,
    ...findGap(ranked, neighbours, maxVoices),
  }))
  const quality = ({ neighbours, gap }: { neighbours: number; gap: number }) => gap / neighbours
  return gaps.reduce((best, other) => (quality(other) > quality(best) ? other : best)).voices
}

/** Samples all vectors evenly but not periodically, because turns may have equal lengths. */
function sample(vectors: readonly Float32Array[]): Float32Array[] {
  if (vectors.length <= maxWindows) return [...vectors]
  const step = vectors.length / maxWindows
  const offset = (index: number) => (index * goldenRatio) % 1
  return Array.from({ length: maxWindows }, (_, index) => vectors[Math.floor((index + offset(index)) * step)]).filter(
    (vector) => vector !== undefined,
  )
}

/** Returns, for each vector, the indices of all vectors including itself, the most similar first. */
function rankNeighbours(vectors: readonly Float32Array[]): number[][] {
  return vectors.map((vector) => {
    const similarities = vectors.map((other) => dot(vector, other))
    return similarities.map((_, index) => index).toSorted((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0))
  })
}

function listNeighbourCounts(windows: number): number[] {
  const { min, max, count } = neighbourShares
  const [first, last] = [Math.max(minNeighbours, min * windows), Math.max(minNeighbours + 1, max * windows)]
  const steps = Array.from({ length: count }, (_, step) => Math.round(first + ((last - first) * step) / (count - 1)))
  return [...new Set(steps)]
}

/** Returns the largest gap between the first eigenvalues, relative to the largest eigenvalue, and how many precede it. */
function findGap(ranked: readonly number[][], neighbours: number, maxVoices: number): { voices: number; gap: number } {
  const eigenvalues = computeLaplacianEigenvalues(ranked, neighbours)
  const gaps = eigenvalues.slice(0, maxVoices).map((value, index) => (eigenvalues[index + 1] ?? value) - value)
  const gap = Math.max(...gaps)
  return { voices: gaps.indexOf(gap) + 1, gap: gap / Math.max(Number.EPSILON, eigenvalues.at(-1) ?? 0) }
}

/** Returns the eigenvalues in ascending order. */
function computeLaplacianEigenvalues(ranked: readonly number[][], neighbours: number): number[] {
  const size = ranked.length
  const laplacian = Matrix.zeros(size, size)
  for (const [row, order] of ranked.entries()) {
    for (const column of order.slice(0, neighbours)) {
      if (column === row) continue
      // Half an edge in each direction: mutual neighbors have a full edge.
      laplacian.set(row, column, laplacian.get(row, column) - 0.5)
      laplacian.set(column, row, laplacian.get(column, row) - 0.5)
      laplacian.set(row, row, laplacian.get(row, row) + 0.5)
      laplacian.set(column, column, laplacian.get(column, column) + 0.5)
    }
  }
  return new EigenvalueDecomposition(laplacian, { assumeSymmetric: true }).realEigenvalues.toSorted((a, b) => a - b)
}
