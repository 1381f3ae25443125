import { dot, normalize } from './average-linkage.ts'
import type { VectorGroup } from './average-linkage.ts'
import type { VoiceWindow } from './voice-window.ts'

/** So many windows in a row of one voice are surely of one person: one that holds a change of speakers stands alone. */
const steadyWindows = 3
/** The likeness of windows of one voice where a voice has too few to tell. */
const usualLikeness = 0.67

/** Returns the most similar voice of each window. */
export function assignVoices(windows: readonly VoiceWindow[], voices: readonly Float32Array[]): number[] {
  return windows.map(({ vector }) => {
    const similarities = voices.map((voice) => dot(vector, voice))
    return similarities.indexOf(Math.max(...similarities))
  })
}

/** Returns the mean direction of the windows of each label from 0 on; -1 is none. */
export function meanDirections(windows: readonly VoiceWindow[], labels: readonly number[]): Float32Array[] {
  return addUp(
    windows.map(({ vector }) => ({ sum: vector, size: 1 })),
    labels,
  ).flatMap(({ sum }) => normalize(sum) ?? [])
}

/** Adds up the groups of each label from 0 on; -1 is none. */
export function addUp(groups: readonly VectorGroup[], labels: readonly number[]): VectorGroup[] {
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
 * Returns by label the milliseconds of speech in which it is steady: three overlapping windows in a row, or all windows between two
 * pauses. Labels without any are listed with 0.
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
      if (isWholeSpeech || index - run.first >= steadyWindows) {
        steadyMs.set(run.label, (steadyMs.get(run.label) ?? 0) + durationMs)
      }
    }
    run = { first: index, label: labels[index] ?? 0 }
  }
  return steadyMs
}

/** Returns the milliseconds that windows in order cover. */
export function measureSpeech(windows: readonly VoiceWindow[]): number {
  return windows.reduce((sum, { startMs, endMs }, index) => {
    return sum + Math.min(endMs, windows[index + 1]?.startMs ?? endMs) - startMs
  }, 0)
}

/**
 * Makes one voice of two whose means are at least `sameVoice` alike, the most alike first. The likeness is the mean cosine between
 * windows of either, divided by that within both: about 1 for one person however noisy the windows are.
 */
export function mergeAlike(
  windows: readonly VoiceWindow[],
  voices: readonly Float32Array[],
  sameVoice: number,
): Float32Array[] {
  let merged = [...voices]
  for (;;) {
    const labels = assignVoices(windows, merged)
    const groups = merged.map(
      (_, voice) =>
        addUp(
          windows.map(({ vector }) => ({ sum: vector, size: 1 })),
          labels.map((label) => (label === voice ? 0 : -1)),
        )[0],
    )
    const [first, second] = findMostAlike(groups, sameVoice)
    if (second === undefined) return merged
    const joined = labels.map((label) => (label === second ? first : label))
    // Labels from 0 on without a gap.
    const used = [...new Set(joined)].toSorted((a, b) => a - b)
    merged = meanDirections(
      windows,
      joined.map((label) => used.indexOf(label)),
    )
  }
}

function findMostAlike(groups: readonly (VectorGroup | undefined)[], least: number): [number, number?] {
  let found: [number, number?] = [0]
  let most = least
  for (const [second, group] of groups.entries()) {
    for (const [first, other] of groups.slice(0, second).entries()) {
      if (!group || !other) continue
      const between = dot(group.sum, other.sum) / (group.size * other.size)
      const likeness = between / Math.sqrt(likenessWithin(group) * likenessWithin(other))
      if (likeness >= most) [most, found] = [likeness, [first, second]]
    }
  }
  return found
}

/** The mean cosine between two different windows of a group. */
function likenessWithin({ sum, size }: VectorGroup): number {
  if (size < 2) return usualLikeness
  return Math.max(Number.EPSILON, (dot(sum, sum) - size) / (size * (size - 1)))
}
