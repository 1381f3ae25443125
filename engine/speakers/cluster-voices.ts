import { cutTree, dot, listMerges, normalize } from './average-linkage.ts'
import type { VectorGroup } from './average-linkage.ts'
import type { VoiceWindow } from './voice-window.ts'

export interface ClusterOptions {
  /** Least mean cosine between the windows of one voice. */
  threshold: number
  /** Where it is known; instead of the threshold. */
  voiceCount?: number
  /** Windows that are clustered at once; memory grows with the square of it. Default 1000, thirteen minutes of speech. */
  blockSize?: number
}

/** Shorter windows are assigned to voices but make none. */
const minClusterWindowMs = 700
/** A voice with less speech than this, or than a share of all speech, is none: a noise, or two people at once. */
const minVoice = { shortestMs: 2000, share: 0.04, longestMs: 10_000 }
/** Blocks of a long recording merge only what is alike beyond doubt; the rest is decided over all blocks. */
const blockMargin = 0.15
const reassignRounds = 2
/** How many groups beside the voices asked for may be noise. */
const maxStrayGroups = 30

/**
 * Returns the voices of these windows, each as its mean direction: average-linkage clustering, in two stages where there are more
 * windows than fit a block. Empty where there are no windows; windows too short to tell voices by are one voice.
 */
export function clusterVoices(windows: readonly VoiceWindow[], options: ClusterOptions): Float32Array[] {
  const long = windows.filter(({ startMs, endMs }) => endMs - startMs >= minClusterWindowMs)
  if (long.length === 0)
    return windows.length === 0
      ? []
      : meanDirections(
          windows,
          windows.map(() => 0),
        )
  const labels = labelWindows(long, options)
  let voices = meanDirections(long, keepVoices(long, labels, options.voiceCount))
  for (let round = 0; round < reassignRounds; round += 1) {
    voices = meanDirections(
      long,
      long.map(({ vector }) => nearestVoice(vector, voices)),
    )
  }
  return voices
}

/** The number of the most similar voice. */
export function nearestVoice(vector: Float32Array, voices: readonly Float32Array[]): number {
  const similarities = voices.map((voice) => dot(vector, voice))
  return similarities.indexOf(Math.max(...similarities))
}

/** One label a window; groups of every size. */
function labelWindows(windows: readonly VoiceWindow[], options: ClusterOptions): number[] {
  const { threshold, voiceCount, blockSize = 1000 } = options
  const groups = windows.map(({ vector }) => ({ sum: vector, size: 1 }))
  const ofGroup = groups.length > blockSize ? mergeInBlocks(groups, threshold + blockMargin, blockSize) : undefined
  const merged = ofGroup ? addUp(groups, ofGroup) : groups
  const merges = listMerges(merged)
  const cut = (minGroups: number, least?: number) => {
    const labels = cutTree(merged.length, merges, { minGroups, threshold: least })
    return ofGroup ? ofGroup.map((group) => labels[group] ?? 0) : labels
  }
  if (voiceCount === undefined) return cut(1, threshold)
  // A stray sound may be further from all voices than two voices from each other.
  const most = Math.min(merged.length, voiceCount + maxStrayGroups)
  for (let count = voiceCount; count <= most; count += 1) {
    const labels = cut(count)
    if (listLarge(windows, labels).length >= voiceCount) return labels
  }
  return cut(voiceCount)
}

/** The first stage: labels that are unique over all blocks. */
function mergeInBlocks(groups: readonly VectorGroup[], threshold: number, blockSize: number): number[] {
  const labels: number[] = []
  let used = 0
  for (let start = 0; start < groups.length; start += blockSize) {
    const block = groups.slice(start, start + blockSize)
    const own = cutTree(block.length, listMerges(block), { threshold })
    for (const label of own) labels.push(used + label)
    used += Math.max(...own) + 1
  }
  return labels
}

function addUp(groups: readonly VectorGroup[], labels: readonly number[]): VectorGroup[] {
  const merged: VectorGroup[] = []
  for (const [index, { sum, size }] of groups.entries()) {
    const label = labels[index] ?? 0
    const into = (merged[label] ??= { sum: new Float32Array(sum.length), size: 0 })
    for (let at = 0; at < sum.length; at += 1) into.sum[at] = (into.sum[at] ?? 0) + (sum[at] ?? 0)
    into.size += size
  }
  return merged
}

/** Labels of voices alone, the rest at -1: those of `voiceCount` with the most speech, or all that have enough of it. */
function keepVoices(windows: readonly VoiceWindow[], labels: readonly number[], voiceCount?: number): number[] {
  const durations = sumDurations(windows, labels)
  const bySpeech = [...durations.keys()].toSorted((a, b) => (durations.get(b) ?? 0) - (durations.get(a) ?? 0))
  const kept =
    voiceCount === undefined
      ? [...new Set([...bySpeech.slice(0, 1), ...listLarge(windows, labels)])]
      : bySpeech.slice(0, voiceCount)
  return labels.map((label) => kept.indexOf(label))
}

function listLarge(windows: readonly VoiceWindow[], labels: readonly number[]): number[] {
  const durations = sumDurations(windows, labels)
  const allMs = [...durations.values()].reduce((sum, ms) => sum + ms, 0)
  const leastMs = Math.max(minVoice.shortestMs, Math.min(minVoice.longestMs, allMs * minVoice.share))
  return [...durations].filter(([, ms]) => ms >= leastMs).map(([label]) => label)
}

/** Speech of each label; where windows overlap, time counts for the earlier one only up to the next. */
function sumDurations(windows: readonly VoiceWindow[], labels: readonly number[]): Map<number, number> {
  const durations = new Map<number, number>()
  for (const [index, { startMs, endMs }] of windows.entries()) {
    const ownEndMs = Math.min(endMs, windows[index + 1]?.startMs ?? endMs)
    const label = labels[index] ?? 0
    durations.set(label, (durations.get(label) ?? 0) + ownEndMs - startMs)
  }
  return durations
}

/** The mean direction of the windows of each label from 0 on; -1 is none. */
function meanDirections(windows: readonly VoiceWindow[], labels: readonly number[]): Float32Array[] {
  const used = windows.filter((_, index) => (labels[index] ?? -1) >= 0).map(({ vector }) => ({ sum: vector, size: 1 }))
  const sums = addUp(
    used,
    labels.filter((label) => label >= 0),
  )
  return sums.flatMap(({ sum }) => normalize(sum) ?? [])
}
