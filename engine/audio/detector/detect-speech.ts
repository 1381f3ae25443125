import { join } from 'node:path'
import { startNativeChild } from '#engine/child/native-child.ts'
import { retryOnceAfterCrash } from '#engine/child/retry-once-after-crash.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import type { DecodedAudio } from '../decoded-audio.ts'
import { fromDb, percentile } from '../levels.ts'
import type { DetectorMethods, FindVoiceParams, FindVoiceProgress } from './detector-child.ts'
import { joinRuns } from './join-runs.ts'
import { removeBleed } from './remove-bleed.ts'
import type { DetectedSpeech } from './remove-bleed.ts'
import { tightenSpans } from './tighten.ts'
import type { VoiceRun } from './voice-run.ts'

export interface DetectSpeechOptions {
  /** Kills the child process; the call rejects with `job_cancelled`, or with the signal's reason if that is an AppError. */
  signal?: AbortSignal
  /** Called with the processed share of the recording, 0 to 1. */
  onProgress?: (share: number) => void
}

export const vadPath = join(bundledModelsDir, 'vad', 'silero_vad_v5_windows.onnx')
/** One hour of stereo takes twenty seconds of CPU time. */
const timeoutMs = 60 * 60_000
/** A channel that is never louder than this is unused: it holds at most the dither of an encoder. */
const maxSilentPeak = 4 / 32_768
export const spanOptions = { minSilenceMs: 500, minSpeechMs: 100 }
/** At this level the network finds clear speech as well as at any higher level, and rates loud music as less voice-like. */
const targetLevel = fromDb(-30)
const minGain = fromDb(-18)
const maxGain = fromDb(12)

/**
 * Detects speech with Silero VAD in a child process. Returns one list of spans per channel, or a single list if the recording is mono or
 * mono saved as stereo. Crosstalk from the other channel does not count as speech: it is listed separately.
 *
 * Throws `job_cancelled`, or `internal` if the child died twice or exceeded a limit. Leaves no process running.
 */
export async function detectSpeech(decoded: DecodedAudio, options: DetectSpeechOptions = {}): Promise<DetectedSpeech> {
  const runs = await findVoiceRuns(decoded, options)
  const spans = runs.map((list, channel) => tightenSpans(joinRuns(list, spanOptions), framesOf(decoded, channel)))
  if (spans.length < 2) return { spans, bleed: spans.map(() => []) }
  return removeBleed(decoded, spans, { ...spanOptions, signal: options.signal })
}

/** Returns the voiced runs, one list for each channel with its own speaker. */
async function findVoiceRuns(decoded: DecodedAudio, options: DetectSpeechOptions): Promise<VoiceRun[][]> {
  const { pcmPath, channelCount, isDualMono, peaks } = decoded
  const listed = channelCount === 2 && !isDualMono ? [0, 1] : [0]
  const audible = listed.filter((channel) => peaks[channel]?.some((peak) => peak > maxSilentPeak))
  if (audible.length === 0) return listed.map(() => [])
  const channels = audible.map((channel) => ({ channel, gain: detectionGain(framesOf(decoded, channel)) }))
  const found = await runDetector({ modelPath: vadPath, pcmPath, channelCount, channels }, decoded.durationMs, options)
  return listed.map((channel) => found[audible.indexOf(channel)] ?? [])
}

function framesOf(decoded: DecodedAudio, channel: number): Float32Array {
  return decoded.frames[channel] ?? new Float32Array()
}

/** Returns the factor that brings a channel to the level at which speech is detected. */
export function detectionGain(frames: Float32Array): number {
  const loudLevel = Math.max(percentile(frames, 0.99), Number.EPSILON)
  return Math.max(minGain, Math.min(maxGain, targetLevel / loudLevel))
}

async function runDetector(
  params: FindVoiceParams,
  durationMs: number,
  { signal, onProgress }: DetectSpeechOptions,
): Promise<VoiceRun[][]> {
  const child = startNativeChild<DetectorMethods>({
    name: 'The speech detector',
    script: join(import.meta.dirname, 'detector-child.ts'),
  })
  const onEvent = (event: unknown) => {
    const seconds = event as FindVoiceProgress // the child emits nothing else
    onProgress?.(Math.min(1, (seconds * 1000) / durationMs))
  }
  try {
    return await retryOnceAfterCrash(() => child.call('findVoice', params, { signal, timeoutMs, onEvent }))
  } finally {
    await child.close()
  }
}
