import { sampleRate } from '../decoded-audio.ts'
import { contextSamples, windowSamples } from './voice-network.ts'
import type { VoiceNetwork } from './voice-network.ts'
import type { VoiceRun } from './voice-run.ts'
import { findVoicedRanges } from './voiced-windows.ts'
import type { WindowRange } from './voiced-windows.ts'

const threshold = 0.25
/** Two consecutive windows above this make a run certain. */
const certainThreshold = 0.85
/** So does this length: noise and music resemble a voice for shorter than that. */
const certainMs = 1000
/** Windows before a run with which the network hears it again, by itself. */
const leadWindows = 14
/** Windows classified in one call: 2 s. */
const blockWindows = 64

/** Streams of samples, -1 to 1 at 16 kHz. */
export interface VoiceSource {
  streamCount: number
  /** Of each stream. */
  sampleCount: number
  /** Returns `count` samples of each stream from position `from`; zeros after the end. */
  read(from: number, count: number): Promise<Float32Array[]> | Float32Array[]
}

/** Finds voiced runs, one list per stream, in order. Memory grows by 125 bytes a second and stream, and per run. */
export async function findVoice(
  network: VoiceNetwork,
  source: VoiceSource,
  onSeconds: (seconds: number) => void = () => undefined,
): Promise<VoiceRun[][]> {
  const probabilities = await classifyAll(network, source, onSeconds)
  const found: VoiceRun[][] = []
  for (const [stream, list] of probabilities.entries()) {
    const runs: VoiceRun[] = []
    for (const range of findVoicedRanges(list, threshold)) {
      const span = toSpan(range, source.sampleCount)
      const isCertain = span.endMs - span.startMs >= certainMs || (await isHeardAgain(network, source, stream, range))
      runs.push({ ...span, isCertain })
    }
    found.push(runs)
  }
  return found
}

/** Returns the probability of a voice in each window of each stream. */
async function classifyAll(
  network: VoiceNetwork,
  { streamCount, sampleCount, read }: VoiceSource,
  onSeconds: (seconds: number) => void,
): Promise<Float32Array[]> {
  const windowCount = Math.ceil(sampleCount / windowSamples)
  const probabilities = Array.from({ length: streamCount }, () => new Float32Array(windowCount))
  const classifier = network.listen(streamCount)
  try {
    for (let from = 0; from < windowCount; from += blockWindows) {
      const count = Math.min(blockWindows, windowCount - from)
      const samples = await read(from * windowSamples, count * windowSamples + contextSamples)
      const block = await classifier.classify(samples)
      for (const [stream, list] of block.entries()) probabilities[stream]?.set(list, from)
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

function toSpan({ first, last }: WindowRange, sampleCount: number): { startMs: number; endMs: number } {
  const toMs = (samples: number) => Math.round((Math.min(samples, sampleCount) * 1000) / sampleRate)
  return {
    startMs: first === 0 ? 0 : toMs(first * windowSamples + contextSamples),
    endMs: toMs((last + 1) * windowSamples + contextSamples),
  }
}
