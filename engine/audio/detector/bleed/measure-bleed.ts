import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { frameMs, frameSamples, sampleRate } from '../../decoded-audio.ts'
import type { DecodedAudio } from '../../decoded-audio.ts'
import type { SpeechSpan } from '../../speech-span.ts'
import { findDelay } from './find-delay.ts'
import { fitFilter, tapCount, tapsBeforeDelay } from './fit-filter.ts'
import { lowBandMargin, lowBandRate, toLowBand } from './low-band.ts'
import { bandFrameSamples, energyOf, marginSamples, maxAdvanceSamples, maxDelaySamples } from './passage.ts'
import type { OverlapPassage } from './passage.ts'

/**
 * Energies of each 20 ms frame of a channel in the low band: of all sound, of what is heard of the other channel in it, and of the rest.
 * Zero where the other channel holds no speech or cannot be distinguished from this one.
 */
export interface BleedFrames {
  total: Float32Array
  bleed: Float32Array
  rest: Float32Array
  /** Mean square that bleed from the other channel can reach in the whole band, if the whole band is attenuated like the low band. */
  expected: Float32Array
}

/** A filter is fitted to this much speech of both channels, if there is that much: the path may change during a call. */
const groupFrames = 30_000 / frameMs
const samplesPerBand = sampleRate / lowBandRate
/** Frames before and after in which a sound of the other channel counts as simultaneous. */
const nearFrames = 2
const delayFrames = Math.ceil(maxDelaySamples / bandFrameSamples)
const advanceFrames = Math.ceil(maxAdvanceSamples / bandFrameSamples)

interface FrameRange {
  start: number
  /** Exclusive. */
  end: number
}

/**
 * Measures, for each of two channels, what is heard of the other in it: only sound that correlates with the delayed and filtered other
 * channel is bleed. Reads only passages in which both channels hold speech. Rejects with the signal's reason.
 */
export async function measureBleed(
  { pcmPath, frames }: Pick<DecodedAudio, 'pcmPath' | 'frames'>,
  { spans: [left = [], right = []], signal }: { spans: readonly SpeechSpan[][]; signal?: AbortSignal | undefined },
): Promise<[BleedFrames, BleedFrames]> {
  const frameCount = frames[0]?.length ?? 0
  const measured: [BleedFrames, BleedFrames] = [createFrames(frameCount), createFrames(frameCount)]
  const shared = [...listSharedRanges(left, right, frameCount), ...listSharedRanges(right, left, frameCount)]
  const ranges = joinRanges(shared.toSorted((a, b) => a.start - b.start))
  if (ranges.length === 0) return measured
  const file = await open(pcmPath)
  try {
    for (const group of groupRanges(ranges)) {
      signal?.throwIfAborted()
      const passages: OverlapPassage[] = []
      for (const range of group) passages.push(await readPassage(file, range))
      measureGroup(passages, frames[1] ?? new Float32Array(), measured[0])
      measureGroup(passages.map(swapChannels), frames[0] ?? new Float32Array(), measured[1])
    }
  } finally {
    await file.close()
  }
  return measured
}

function createFrames(frameCount: number): BleedFrames {
  return {
    total: new Float32Array(frameCount),
    bleed: new Float32Array(frameCount),
    rest: new Float32Array(frameCount),
    expected: new Float32Array(frameCount),
  }
}

function swapChannels({ own, other, ...place }: OverlapPassage): OverlapPassage {
  return { ...place, own: other, other: own }
}

/** Returns the passages of one channel's speech that bleed from the other channel's speech can reach. */
function listSharedRanges(own: readonly SpeechSpan[], other: readonly SpeechSpan[], frameCount: number): FrameRange[] {
  const ranges: FrameRange[] = []
  let first = 0
  for (const { startMs, endMs } of own) {
    const [start, end] = [Math.floor(startMs / frameMs), Math.min(frameCount, Math.ceil(endMs / frameMs))]
    while (first < other.length && reachOf(other[first]).end <= start) first += 1
    for (let index = first; index < other.length && reachOf(other[index]).start < end; index += 1) {
      const reach = reachOf(other[index])
      ranges.push({ start: Math.max(start, reach.start), end: Math.min(end, reach.end) })
    }
  }
  return ranges
}

function joinRanges(ranges: readonly FrameRange[]): FrameRange[] {
  const joined: FrameRange[] = []
  for (const { start, end } of ranges) {
    const previous = joined.at(-1)
    if (previous && start <= previous.end) previous.end = Math.max(previous.end, end)
    else joined.push({ start, end })
  }
  return joined
}

function reachOf(span: SpeechSpan = { startMs: 0, endMs: 0 }): FrameRange {
  return {
    start: Math.floor(span.startMs / frameMs) - advanceFrames,
    end: Math.ceil(span.endMs / frameMs) + delayFrames,
  }
}

/** Splits long ranges and groups short ones; a last group that is too short for a filter joins the previous group. */
function groupRanges(ranges: readonly FrameRange[]): FrameRange[][] {
  const parts = ranges.flatMap(({ start, end }) =>
    Array.from({ length: Math.ceil((end - start) / groupFrames) }, (_, part) => ({
      start: start + part * groupFrames,
      end: Math.min(end, start + (part + 1) * groupFrames),
    })),
  )
  const groups: { parts: FrameRange[]; frameCount: number }[] = []
  for (const part of parts) {
    const last = groups.at(-1)
    const length = part.end - part.start
    if (last && last.frameCount < groupFrames) {
      last.parts.push(part)
      last.frameCount += length
    } else {
      groups.push({ parts: [part], frameCount: length })
    }
  }
  const [beforeLast, last] = groups.slice(-2)
  if (beforeLast && last && last.frameCount < groupFrames / 2) beforeLast.parts.push(...last.parts)
  const isMerged = beforeLast !== undefined && last !== undefined && last.frameCount < groupFrames / 2
  return (isMerged ? groups.slice(0, -1) : groups).map((group) => group.parts)
}

/** Reads a passage with the left channel as `own`. */
async function readPassage(file: FileHandle, { start, end }: FrameRange): Promise<OverlapPassage> {
  const margin = marginSamples * samplesPerBand + lowBandMargin
  const first = start * frameSamples - margin
  const samples = new Int16Array(((end - start) * frameSamples + 2 * margin) * 2)
  // Samples before the start or after the end of the recording stay zero.
  const missing = Math.max(0, -first) * 2
  const bytes = new Uint8Array(samples.buffer, missing * 2)
  await file.read(bytes, 0, bytes.length, Math.max(0, first) * 4)
  return {
    firstFrame: start,
    frameCount: end - start,
    own: toLowBand(samples, 0, 2),
    other: toLowBand(samples, 1, 2),
  }
}

/** Measures the passages of a group. `otherLevels` is the RMS of the other channel's frames. */
function measureGroup(passages: readonly OverlapPassage[], otherLevels: Float32Array, measured: BleedFrames): void {
  const delay = findDelay(passages)
  const filter = delay === undefined ? undefined : fitFilter(passages, delay)
  if (delay === undefined || filter === undefined) return
  const energies = { bleed: 0, other: 0 }
  for (const passage of passages) {
    const sums = measurePassage(passage, { delay, filter }, measured)
    energies.bleed += sums.bleed
    energies.other += sums.other
  }
  const gain = energies.bleed / Math.max(energies.other, Number.EPSILON)
  const delayed = Math.round(delay / bandFrameSamples)
  for (const { firstFrame, frameCount } of passages) {
    for (let frame = firstFrame; frame < firstFrame + frameCount; frame += 1) {
      let loudest = 0
      for (let near = frame - delayed - nearFrames; near <= frame - delayed + nearFrames; near += 1) {
        loudest = Math.max(loudest, otherLevels[near] ?? 0)
      }
      measured.expected[frame] = gain * loudest * loudest
    }
  }
}

/** Returns the energies of the bleed and of the channel that it comes from. */
function measurePassage(
  { firstFrame, frameCount, own, other }: OverlapPassage,
  { delay, filter }: { delay: number; filter: Float64Array },
  { total, bleed, rest }: BleedFrames,
): { bleed: number; other: number } {
  const shift = tapsBeforeDelay - delay
  const sums = { bleed: 0, other: 0 }
  for (let frame = 0; frame < frameCount; frame += 1) {
    const start = marginSamples + frame * bandFrameSamples
    let [bleedEnergy, restEnergy] = [0, 0]
    for (let at = start; at < start + bandFrameSamples; at += 1) {
      let heard = 0
      for (let tap = 0; tap < tapCount; tap += 1) heard += (filter[tap] ?? 0) * (other[at + shift - tap] ?? 0)
      bleedEnergy += heard * heard
      restEnergy += ((own[at] ?? 0) - heard) ** 2
    }
    total[firstFrame + frame] = energyOf(own, start, bandFrameSamples)
    bleed[firstFrame + frame] = bleedEnergy
    rest[firstFrame + frame] = restEnergy
    sums.bleed += bleedEnergy
    sums.other += energyOf(other, start - delay, bandFrameSamples)
  }
  return sums
}
