import { cutTree, listMerges } from './average-linkage.ts'
import type { VectorGroup } from './average-linkage.ts'
import { countVoices } from './count-voices.ts'
import { addUp, assignVoices, meanDirections, measureSpeech, measureSteadySpeech, mergeAlike } from './voice-groups.ts'
import type { VoiceWindow } from './voice-window.ts'

export interface ClusterOptions {
  /** Where it is known; else countVoices tells it. */
  voiceCount?: number
  /** Two that were counted and whose means are at least so alike, corrected for the spread of their windows, are one voice. */
  sameVoice: number
  /** Least mean cosine between windows that are one voice beyond doubt, in the first stage of a long recording. */
  blockThreshold: number
  /** Windows that are clustered at once; memory grows with the square of it. Default 1000, thirteen minutes of speech. */
  blockSize?: number
}

/** Shorter windows are assigned to voices but make none. */
const minClusterWindowMs = 700
/** Steady speech that a voice needs, as a share of all speech; what has less is a noise, or two people at once. */
const minSteady = { share: 0.15, shortestMs: 2000, longestMs: 5000 }
const reassignRounds = 2
/** How many groups beside the voices asked for may be none. */
const maxStrayGroups = 30

/**
 * Returns the voices of these windows, each as its mean direction: average-linkage clustering into as many as there are, in two
 * stages where there are more windows than fit a block. Empty where there are no windows; windows too short to tell voices by are one voice.
 */
export function clusterVoices(windows: readonly VoiceWindow[], options: ClusterOptions): Float32Array[] {
  const long = windows.filter(({ startMs, endMs }) => endMs - startMs >= minClusterWindowMs)
  if (long.length === 0) {
    return meanDirections(
      windows,
      windows.map(() => 0),
    )
  }
  let voices = meanDirections(long, chooseLabels(long, options))
  for (let round = 0; round < reassignRounds; round += 1) voices = meanDirections(long, assignVoices(long, voices))
  return options.voiceCount === undefined ? mergeAlike(long, voices, options.sameVoice) : voices
}

/** The label of each window; -1 for what is no voice. */
function chooseLabels(windows: readonly VoiceWindow[], options: ClusterOptions): number[] {
  const cut = growTree(windows, options)
  const minSteadyMs = minSteadySpeech(windows)
  const { voiceCount } = options
  if (voiceCount !== undefined) return findSteady(windows, cut, { voiceCount, minSteadyMs }) ?? cut(voiceCount)
  for (let count = countVoices(windows.map(({ vector }) => vector)); count > 1; count -= 1) {
    const find = (minMs: number) => findSteady(windows, cut, { voiceCount: count, minSteadyMs: minMs })
    const labels = find(minSteadyMs) ?? find(minSteady.shortestMs)
    if (labels) return labels
    // What was counted may be a noise, or two people at once: such a group does not speak steadily.
  }
  return windows.map(() => 0)
}

/**
 * Returns labels of so many groups with enough steady speech. A stray sound may be further from all voices than two voices from each
 * other, so that the tree is cut further down where there are too few.
 */
function findSteady(
  windows: readonly VoiceWindow[],
  cut: (count: number) => number[],
  { voiceCount, minSteadyMs }: { voiceCount: number; minSteadyMs: number },
): number[] | undefined {
  for (let count = voiceCount; count <= Math.min(windows.length, voiceCount + maxStrayGroups); count += 1) {
    const labels = cut(count)
    const steady = [...measureSteadySpeech(windows, labels).values()].filter((ms) => ms >= minSteadyMs)
    if (steady.length >= voiceCount) return keepSteadiest(windows, labels, voiceCount)
  }
  return undefined
}

/** Returns a function that cuts the tree into a number of groups. */
function growTree(
  windows: readonly VoiceWindow[],
  { blockThreshold, blockSize = 1000 }: ClusterOptions,
): (count: number) => number[] {
  const single = windows.map(({ vector }) => ({ sum: vector, size: 1 }))
  const blocks = single.length > blockSize ? mergeInBlocks(single, blockThreshold, blockSize) : undefined
  const groups = blocks ? addUp(single, blocks) : single
  const merges = listMerges(groups)
  return (count) => {
    const labels = cutTree(groups.length, merges, { minGroups: count })
    return blocks ? blocks.map((group) => labels[group] ?? 0) : labels
  }
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

/** Keeps so many labels, those with the most steady speech; the windows of others are of no voice. */
function keepSteadiest(windows: readonly VoiceWindow[], labels: readonly number[], count: number): number[] {
  const ordered = [...measureSteadySpeech(windows, labels)].toSorted(([, a], [, b]) => b - a)
  const kept = ordered.slice(0, count).map(([label]) => label)
  return labels.map((label) => kept.indexOf(label))
}

function minSteadySpeech(windows: readonly VoiceWindow[]): number {
  const { share, shortestMs, longestMs } = minSteady
  return Math.max(shortestMs, Math.min(longestMs, share * measureSpeech(windows)))
}
