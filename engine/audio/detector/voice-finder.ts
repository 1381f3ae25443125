import { sampleRate } from '../decoded-audio.ts'
import { addSecondPass } from './join-runs.ts'
import { contextSamples, windowSamples } from './voice-network.ts'
import type { VoiceNetwork } from './voice-network.ts'
import type { VoiceRun } from './voice-run.ts'
import { findVoicedRanges } from './voiced-windows.ts'
import type { WindowRange } from './voiced-windows.ts'

const threshold = 0.25
/** Two consecutive windows above this make a run certain. */
const certainThreshold = 0.85
/** So does this length: noise and music resemble a voice only for shorter times. */
const certainMs = 1000
/** Windows before a run that the network hears with it when it hears the run again in isolation. */
const leadWindows = 14
/** Windows classified in one call: 2 s. */
const blockWindows = 64

/** Streams of samples, -1 to 1 at 16 kHz. */
export interface VoiceSource {
  streamCount: number
  /** Samples in each stream. */
  sampleCount: number
  /** Returns `count` samples of each stream from position `from`; zeros after the end. */
  read(from: number, count: number): Promise<Float32Array[]> | Float32Array[]
}

/**
 * Finds voiced runs, one list per stream, in order. It makes two passes: one in which the network remembers everything heard so far, as it
 * is meant to, and one in which it has heard only the preceding two seconds, because in noise with echo the first pass soon finds hardly
 * any voice. Only its length makes a run of the second pass certain: to a network that has just begun to listen, music and noise resemble a
 * voice more. Memory grows by 250 bytes per second and stream, and with each run.
 */
export async function findVoice(
  network: VoiceNetwork,
  source: VoiceSource,
  onSeconds: (seconds: number) => void = () => undefined,
): Promise<VoiceRun[][]> {
  const remembering = await classifyAll(network, source, { isAfresh: false, onSeconds })
  const afresh = await classifyAll(network, source, { isAfresh: true, onSeconds: () => undefined })
  const found: VoiceRun[][] = []
  for (const [stream, list] of remembering.entries()) {
    const runs: VoiceRun[] = []
    for (const range of findVoicedRanges(list, threshold)) {
      const run = toRun(range, source.sampleCount)
      runs.push({ ...run, isCertain: run.isCertain || (await isHeardAgain(network, source, stream, range)) })
    }
    const others = findVoicedRanges(afresh[stream] ?? new Float32Array(), threshold)
    const second = others.map((range) => toRun(range, source.sampleCount))
    found.push(addSecondPass(runs, second))
  }
  return found
}

interface ClassifyOptions {
  /** Whether the network starts over for each block, one block before it. */
  isAfresh: boolean
  onSeconds: (seconds: number) => void
}

/** Returns the probability of a voice in each window of each stream. */
async function classifyAll(
  network: VoiceNetwork,
  { streamCount, sampleCount, read }: VoiceSource,
  { isAfresh, onSeconds }: ClassifyOptions,
): Promise<Float32Array[]> {
  const windowCount = Math.ceil(sampleCount / windowSamples)
  const probabilities = Array.from({ length: streamCount }, () => new Float32Array(windowCount))
  let classifier = network.listen(streamCount)
  try {
    for (let from = 0; from < windowCount; from += blockWindows) {
      const count = Math.min(blockWindows, windowCount - from)
      const lead = isAfresh && from > 0 ? blockWindows : 0
      if (lead > 0) {
        classifier.close()
        classifier = network.listen(streamCount)
      }
      const samples = await read((from - lead) * windowSamples, (lead + count) * windowSamples + contextSamples)
      const block = await classifier.classify(samples)
      for (const [stream, list] of block.entries()) probabilities[stream]?.set(list.subarray(lead), from)
      onSeconds(Math.min(sampleCount, (from + count) * windowSamples) / sampleRate)
    }
    return probabilities
  } finally {
    classifier.close()
  }
}

/** Whether the network is certain of a short run when it hears it with only the half second before it. */
async function isHeardAgain(
  network: VoiceNetwork,
  { read }: VoiceSource,
  stream: number,
  { first, last }: WindowRange,
): Promise<boolean> {
  const from = Math.max(0, first - leadWindows)
  const samples = await read(from * windowSamples, (last + 1 - from) * windowSamples + contextSamples)
  const classifier = network.listen(1)
  try {
    const [probabilities = new Float32Array()] = await classifier.classify(samples.slice(stream, stream + 1))
    return findVoicedRanges(probabilities, certainThreshold).some((range) => range.last > first - from)
  } finally {
    classifier.close()
  }
}

/** Converts a range to a run, which is certain if it is long. */
function toRun({ first, last }: WindowRange, sampleCount: number): VoiceRun {
  const toMs = (samples: number) => Math.round((Math.min(samples, sampleCount) * 1000) / sampleRate)
  const startMs = first === 0 ? 0 : toMs(first * windowSamples + contextSamples)
  const endMs = toMs((last + 1) * windowSamples + contextSamples)
  return { startMs, endMs, isCertain: endMs - startMs >= certainMs }
}
