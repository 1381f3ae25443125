import { cutTree, listMerges } from './average-linkage.ts'
import type { VectorGroup } from './average-linkage.ts'
import { addUp, assignVoices, meanDirections, measureSpeech, measureSteadySpeech, mergeAlike } from './voice-groups.ts'
import type { VoiceWindow } from './voice-window.ts'

export interface ClusterOptions {
  /** Least mean cosine between the windows of one voice, for the first guess. */
  threshold: number
  /** Two guesses whose means are at least so alike, corrected for the spread of their windows, are one voice. */
  sameVoice: number
  /** Where it is known; instead of both. */
  voiceCount?: number
  /** Windows that are clustered at once; memory grows with the square of it. Default 1000, thirteen minutes of speech. */
  blockSize?: number
}

/** Shorter windows are assigned to voices but make none. */
const minClusterWindowMs = 700
/** Steady speech that a voice needs, as a share of all speech; what has less is a noise, or two people at once. */
const minSteady = { share: 0.15, shortestMs: 2000, longestMs: 5000 }
/** Blocks of a long recording merge only what is alike beyond doubt; the rest is decided over all blocks. */
const blockMargin = 0.15
const reassignRounds = 2
/** How many groups beside the voices asked for may be none. */
const maxStrayGroups = 30

/**
 * Returns the voices of these windows, each as its mean direction: average-linkage clustering, in two stages where there are more
 * windows than fit a block. Empty where there are no windows; windows too short to tell voices by are one voice.
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
  if (options.voiceCount !== undefined) return voices
  return mergeAlike(long, dropUnsteady(long, voices), options.sameVoice)
}

/** The label of each window; -1 for what is no voice. */
function chooseLabels(windows: readonly VoiceWindow[], options: ClusterOptions): number[] {
  const { threshold, voiceCount } = options
  const cut = growTree(windows, options)
  const minSteadyMs = minSteadySpeech(windows)
  if (voiceCount === undefined) return keepSteadiest(windows, cut(1, threshold))
  // A stray sound may be further from all voices than two voices from each other: look further down the tree for enough voices.
  for (let count = voiceCount; count <= Math.min(windows.length, voiceCount + maxStrayGroups); count += 1) {
    const labels = cut(count)
    const steady = [...measureSteadySpeech(windows, labels).values()].filter((ms) => ms >= minSteadyMs)
    if (steady.length >= voiceCount) return keepSteadiest(windows, labels, voiceCount)
  }
  return cut(voiceCount)
}

/** Returns a function that cuts the tree into at least `minGroups`, or where windows are less alike than `threshold`. */
function growTree(
  windows: readonly VoiceWindow[],
  { threshold, blockSize = 1000 }: ClusterOptions,
): (minGroups: number, threshold?: number) => number[] {
  const single = windows.map(({ vector }) => ({ sum: vector, size: 1 }))
  const blocks = single.length > blockSize ? mergeInBlocks(single, threshold + blockMargin, blockSize) : undefined
  const groups = blocks ? addUp(single, blocks) : single
  const merges = listMerges(groups)
  return (minGroups, least) => {
    const labels = cutTree(groups.length, merges, { minGroups, threshold: least })
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

/** Keeps the labels with the most steady speech, at least one: `count` of them, or all that have enough of it. */
function keepSteadiest(windows: readonly VoiceWindow[], labels: readonly number[], count?: number): number[] {
  const ordered = [...measureSteadySpeech(windows, labels)].toSorted(([, a], [, b]) => b - a)
  const kept = ordered
    .filter(([, ms], index) => (count === undefined ? index === 0 || ms >= minSteadySpeech(windows) : index < count))
    .map(([label]) => label)
  return labels.map((label) => kept.indexOf(label))
}

/** Gives the windows of voices without enough steady speech to the others, the least steady first. */
function dropUnsteady(windows: readonly VoiceWindow[], voices: Float32Array[]): Float32Array[] {
  const minSteadyMs = minSteadySpeech(windows)
  let kept = voices
  while (kept.length > 1) {
    const steadyMs = measureSteadySpeech(windows, assignVoices(windows, kept))
    const amounts = kept.map((_, voice) => steadyMs.get(voice) ?? 0)
    const least = Math.min(...amounts)
    if (least >= minSteadyMs) break
    kept = kept.filter((_, voice) => voice !== amounts.indexOf(least))
  }
  return kept
}

function minSteadySpeech(windows: readonly VoiceWindow[]): number {
  const { share, shortestMs, longestMs } = minSteady
  return Math.max(shortestMs, Math.min(longestMs, share * measureSpeech(windows)))
}
