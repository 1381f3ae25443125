import { dot, normalize } from './average-linkage.ts'
import type { VectorGroup } from './average-linkage.ts'
import type { VoiceWindow } from './voice-window.ts'

/** This many consecutive windows of one voice certainly belong to one person: only a single window spans a speaker change. */
const minSteadyWindows = 3
/** Similarity assumed within a voice that has too few windows to measure it. */
const defaultSimilarity = 0.67

/** Returns the most similar voice of each window. */
export function assignToNearest(windows: readonly VoiceWindow[], voices: readonly Float32Array[]): number[] {
  return windows.map(({ embedding }) => {
    const similarities = voices.map((voice) => dot(embedding, voice))
    return similarities.indexOf(Math.max(...similarities))
  })
}

/** Returns the centroid, scaled to length 1, of the windows of each label from 0; -1 means no label. */
export function computeCentroids(windows: readonly VoiceWindow[], labels: readonly number[]): Float32Array[] {
  return sumByLabel(
    windows.map(({ embedding }) => ({ sum: embedding, size: 1 })),
    labels,
  ).flatMap(({ sum }) => normalize(sum) ?? [])
}

/** Returns the sum of the groups of each label from 0; -1 means no label. */
export function sumByLabel(groups: readonly VectorGroup[], labels: readonly number[]): VectorGroup[] {
  const merged: VectorGroup[] = []
  for (const [index, { sum, size }] of groups.entries()) {
    const label = labels[index] ?? -1
    if (label < 0) continue
    const into = (merged[label] ??= { sum: new Float32Array(sum.length), size: 0 })
    for (let at = 0; at < sum.length; at += 1) into.sum[at] = (into.sum[at] ?? 0) + (sum[at] ?? 0)
    into.size += size
  }
  return merged.filter((group) => group !== undefined)
}

/**
 * Returns the milliseconds of steady speech by label: at least three consecutive overlapping windows, or all windows between two pauses.
 * Labels without steady speech have 0.
 */
export function measureSteadySpeech(windows: readonly VoiceWindow[], labels: readonly number[]): Map<number, number> {
  const steadyMs = new Map(labels.map((label) => [label, 0]))
  let run: { first: number; label: number } | undefined
  const overlaps = (index: number) => (windows[index]?.startMs ?? 0) < (windows[index - 1]?.endMs ?? 0)
  for (let index = 0; index <= windows.length; index += 1) {
    const isSameRun = run !== undefined && index < windows.length && overlaps(index) && labels[index] === run.label
    if (isSameRun) continue
    if (run) {
      const isWholeSpeech = !overlaps(run.first) && !(index < windows.length && overlaps(index))
      const durationMs = (windows[index - 1]?.endMs ?? 0) - (windows[run.first]?.startMs ?? 0)
      if (isWholeSpeech || index - run.first >= minSteadyWindows) {
        steadyMs.set(run.label, (steadyMs.get(run.label) ?? 0) + durationMs)
      }
    }
    run = { first: index, label: labels[index] ?? 0 }
  }
  return steadyMs
}

/** Returns the milliseconds covered by windows that are in order. */
export function measureSpeech(windows: readonly VoiceWindow[]): number {
  return windows.reduce((sum, { startMs, endMs }, index) => {
    return sum + Math.min(endMs, windows[index + 1]?.startMs ?? endMs) - startMs
  }, 0)
}

/**
 * Merges voices whose similarity is at least `sameVoice`, the most similar first. The similarity is the mean cosine between windows of
 * both voices, divided by the mean cosine within each: about 1 for the same person, however noisy the windows are.
 */
export function mergeSimilarVoices(
  windows: readonly VoiceWindow[],
  voices: readonly Float32Array[],
  sameVoice: number,
): Float32Array[] {
  let merged = [...voices]
  for (;;) {
    const labels = assignToNearest(windows, merged)
    const groups = merged.map(
      (_, voice) =>
        sumByLabel(
          windows.map(({ embedding }) => ({ sum: embedding, size: 1 })),
          labels.map((label) => (label === voice ? 0 : -1)),
        )[0],
    )
    const [first, second] = findMostSimilar(groups, sameVoice)
    if (second === undefined) return merged
    const joined = labels.map((label) => (label === second ? first : label))
    // Renumbers the labels from 0 without gaps.
    const used = [...new Set(joined)].toSorted((a, b) => a - b)
    merged = computeCentroids(
      windows,
      joined.map((label) => used.indexOf(label)),
    )
  }
}

function findMostSimilar(groups: readonly (VectorGroup | undefined)[], minSimilarity: number): [number, number?] {
  let found: [number, number?] = [0]
  let maxSimilarity = minSimilarity
  for (const [second, group] of groups.entries()) {
    for (const [first, other] of groups.slice(0, second).entries()) {
      if (!group || !other) continue
      const between = dot(group.sum, other.sum) / (group.size * other.size)
      const similarity = between / Math.sqrt(similarityWithin(group) * similarityWithin(other))
      if (similarity >= maxSimilarity) [maxSimilarity, found] = [similarity, [first, second]]
    }
  }
  return found
}

/** Returns the mean cosine between two different windows of a group. */
function similarityWithin({ sum, size }: VectorGroup): number {
  if (size < 2) return defaultSimilarity
  return Math.max(Number.EPSILON, (dot(sum, sum) - size) / (size * (size - 1)))
}
