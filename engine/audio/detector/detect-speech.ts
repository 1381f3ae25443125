import { join } from 'node:path'
import { ChildDied } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import type { DecodedAudio } from '../decoded-audio.ts'
import { fromDb, percentile } from '../levels.ts'
import type { SpeechSpan } from '../speech-span.ts'
import type { DetectorMethods, FindVoiceParams, FindVoiceProgress } from './detector-child.ts'
import { joinRuns } from './join-runs.ts'
import { removeBleed } from './remove-bleed.ts'
import { tightenSpans } from './tighten.ts'
import type { VoiceRun } from './voice-run.ts'

export interface DetectSpeechOptions {
  /** Kills the child process; the call rejects with `job_cancelled`, or with the signal's reason where that is an AppError. */
  signal?: AbortSignal
  /** Called now and then with the share of the recording listened to, 0 to 1. */
  onProgress?: (share: number) => void
}

const modelPath = join(bundledModelsDir, 'vad', 'silero_vad_v5.onnx')
/** An hour of two channels takes half a minute of CPU time. */
const timeoutMs = 60 * 60_000
/** What never gets louder is an unused channel, at most with the dither of an encoder. */
const maxSilentPeak = 4 / 32_768
const spanOptions = { minSilenceMs: 500, minSpeechMs: 100 }
/** Loud music is less like a voice to the network at this level, which speech does not need to be louder than. */
const usualLevel = fromDb(-30)
const minGain = fromDb(-18)
const maxGain = fromDb(12)

/**
 * Finds speech by Silero's network in a child process: one list of spans for each channel, and one list alone where the recording
 * is mono or one voice saved as stereo. What one channel leaks into the other is not speech there.
 *
 * Fails with `job_cancelled`, or with `internal` where the child died twice or a limit was reached. No process is left running.
 */
export async function detectSpeech(decoded: DecodedAudio, options: DetectSpeechOptions = {}): Promise<SpeechSpan[][]> {
  const runs = await findVoice(decoded, options)
  const spans = runs.map((list, channel) => tightenSpans(joinRuns(list, spanOptions), framesOf(decoded, channel)))
  return spans.length === 2 ? removeBleed(decoded.frames, spans, spanOptions) : spans
}

/** Where a voice is heard, one list for each channel that has a speaker of its own. */
async function findVoice(decoded: DecodedAudio, options: DetectSpeechOptions): Promise<VoiceRun[][]> {
  const { pcmPath, channelCount, isDualMono, peaks } = decoded
  const listed = channelCount === 2 && !isDualMono ? [0, 1] : [0]
  const audible = listed.filter((channel) => peaks[channel]?.some((peak) => peak > maxSilentPeak))
  if (audible.length === 0) return listed.map(() => [])
  const channels = audible.map((channel) => ({ channel, gain: levelGain(framesOf(decoded, channel)) }))
  const found = await callChild({ modelPath, pcmPath, channelCount, channels }, decoded.durationMs, options)
  return listed.map((channel) => found[audible.indexOf(channel)] ?? [])
}

function framesOf(decoded: DecodedAudio, channel: number): Float32Array {
  return decoded.frames[channel] ?? new Float32Array()
}

function levelGain(frames: Float32Array): number {
  const loud = Math.max(percentile(frames, 0.99), Number.EPSILON)
  return Math.max(minGain, Math.min(maxGain, usualLevel / loud))
}

/** Runs the child, and once more where it died by itself. */
async function callChild(
  params: FindVoiceParams,
  durationMs: number,
  { signal, onProgress }: DetectSpeechOptions,
): Promise<VoiceRun[][]> {
  const child = startNativeChild<DetectorMethods>({
    name: 'The speech detector',
    script: join(import.meta.dirname, 'detector-child.ts'),
  })
  const onEvent = (event: unknown) => {
    const seconds = event as FindVoiceProgress // all that the child emits
    onProgress?.(Math.min(1, (seconds * 1000) / durationMs))
  }
  const call = () => child.call('findVoice', params, { signal, timeoutMs, onEvent })
  try {
    return await call().catch((error: unknown) => {
      if (error instanceof ChildDied) return call()
      throw error
    })
  } finally {
    await child.close()
  }
}
