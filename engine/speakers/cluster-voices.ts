import { cutTree, listMerges } from './average-linkage.ts'
import type { VectorGroup } from './average-linkage.ts'
import { countVoices } from './count-voices.ts'
import {
  assignToNearest,
  computeCentroids,
  measureSpeech,
  measureSteadySpeech,
  mergeSimilarVoices,
  sumByLabel,
} from './voice-groups.ts'
import type { VoiceWindow } from './voice-window.ts'

export interface ClusterOptions {
  /** The number of voices, if known; otherwise countVoices estimates it. */
  voiceCount?: number
  /** Minimum similarity, corrected for the spread of their windows, at which two estimated voices are merged into one. */
  sameVoice: number
  /** Minimum mean cosine between windows that certainly belong to one voice, for the first stage of a long recording. */
  blockThreshold: number
  /** Number of windows clustered at once; memory grows with its square. Default 1000, thirteen minutes of speech. */
  blockSize?: number
}

/** Shorter windows are assigned to voices but not clustered. */
const minClusterWindowMs = 700
/** Steady speech that a voice needs, as a share of all speech, within limits; a cluster with less is noise or overlapping speech. */
const minSteady = { share: 0.15, lowerMs: 2000, upperMs: 5000 }
const reassignRounds = 2
/** Maximum number of noise clusters in addition to the requested voices. */
const maxNoiseClusters = 30

/**
 * Returns the voices of these windows, each as the centroid of a cluster: average-linkage clustering with the known or estimated number of
 * voices, in two stages if there are more windows than fit into a block. Empty if there are no windows; if all windows are too short to
 * cluster, they form one voice.
 */
export function clusterVoices(windows: readonly VoiceWindow[], options: ClusterOptions): Float32Array[] {
  const long = windows.filter(({ startMs, endMs }) => endMs - startMs >= minClusterWindowMs)
  if (long.length === 0) {
    return computeCentroids(
      windows,
      windows.map(() => 0),
    )
  }
  let voices = computeCentroids(long, chooseLabels(long, options))
  for (let round = 0; round < reassignRounds; round += 1) voices = computeCentroids(long, assignToNearest(long, voices))
  return options.voiceCount === undefined ? mergeSimilarVoices(long, voices, options.sameVoice) : voices
}

/** Returns the label of each window; -1 for noise. */
function chooseLabels(windows: readonly VoiceWindow[], options: ClusterOptions): number[] {
  const cut = buildTree(windows, options)
  const minSteadyMs = computeMinSteadyMs(windows)
  const { voiceCount } = options
  if (voiceCount !== undefined) return findSteadyClusters(windows, cut, { voiceCount, minSteadyMs }) ?? cut(voiceCount)
  for (let count = countVoices(windows.map(({ embedding }) => embedding)); count > 1; count -= 1) {
    const find = (minMs: number) => findSteadyClusters(windows, cut, { voiceCount: count, minSteadyMs: minMs })
    const labels = find(minSteadyMs) ?? find(minSteady.lowerMs)
    if (labels) return labels
    // One of the estimated voices may be noise or overlapping speech, without steady speech: try with one voice fewer.
  }
  return windows.map(() => 0)
}

/**
 * Returns the labels of `voiceCount` clusters with enough steady speech. Noise may be less similar to all voices than two voices are to
 * each other, so the tree is cut into more clusters if too few are steady.
 */
function findSteadyClusters(
  windows: readonly VoiceWindow[],
  cut: (count: number) => number[],
  { voiceCount, minSteadyMs }: { voiceCount: number; minSteadyMs: number },
): number[] | undefined {
  for (let count = voiceCount; count <= Math.min(windows.length, voiceCount + maxNoiseClusters); count += 1) {
    const labels = cut(count)
    const steady = [...measureSteadySpeech(windows, labels).values()].filter((ms) => ms >= minSteadyMs)
    if (steady.length >= voiceCount) return keepSteadiest(windows, labels, voiceCount)
  }
  return undefined
}

/** Clusters the windows and returns a function that cuts the dendrogram into a number of clusters. */
function buildTree(
  windows: readonly VoiceWindow[],
  { blockThreshold, blockSize = 1000 }: ClusterOptions,
): (count: number) => number[] {
  const single = windows.map(({ embedding }) => ({ sum: embedding, size: 1 }))
  const blocks = single.length > blockSize ? clusterBlocks(single, blockThreshold, blockSize) : undefined
  const groups = blocks ? sumByLabel(single, blocks) : single
  const merges = listMerges(groups)
  return (count) => {
    const labels = cutTree(groups.length, merges, { minGroups: count })
    return blocks ? blocks.map((group) => labels[group] ?? 0) : labels
  }
}

/** First stage: clusters each block. Labels are unique across blocks. */
function clusterBlocks(groups: readonly VectorGroup[], threshold: number, blockSize: number): number[] {
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

/** Keeps the `count` labels with the most steady speech; other windows count as noise. */
function keepSteadiest(windows: readonly VoiceWindow[], labels: readonly number[], count: number): number[] {
  const ordered = [...measureSteadySpeech(windows, labels)].toSorted(([, a], [, b]) => b - a)
  const kept = ordered.slice(0, count).map(([label]) => label)
  return labels.map((label) => kept.indexOf(label))
}

function computeMinSteadyMs(windows: readonly VoiceWindow[]): number {
  const { share, lowerMs, upperMs } = minSteady
  return Math.max(lowerMs, Math.min(upperMs, share * measureSpeech(windows)))
}
