import { join } from 'node:path'
import { ChildDied } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import { bundledModelsDir } from '#engine/models/catalog.ts'
import type { DecodedAudio } from '../decoded-audio.ts'
import type { SpeechSpan } from '../speech-span.ts'
import type { DetectorMethods, FindVoiceProgress } from './detector-child.ts'
import { joinSpans } from './join-spans.ts'

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

/**
 * Finds speech by Silero's network in a child process: one list of spans for each channel, and one list alone where the recording
 * is mono or one voice saved as stereo. Pauses shorter than 500 ms do not end a span.
 *
 * Fails with `job_cancelled`, or with `internal` where the child died twice or a limit was reached. No process is left running.
 */
export async function detectSpeech(decoded: DecodedAudio, options: DetectSpeechOptions = {}): Promise<SpeechSpan[][]> {
  const listed = decoded.channelCount === 2 && !decoded.isDualMono ? [0, 1] : [0]
  const channels = listed.filter((channel) => !isSilent(decoded.peaks[channel]))
  const found = channels.length > 0 ? await findVoice(decoded, channels, options) : []
  return listed.map((channel) => joinSpans(found[channels.indexOf(channel)] ?? []))
}

function isSilent(peaks: Float32Array = new Float32Array()): boolean {
  return peaks.every((peak) => peak <= maxSilentPeak)
}

/** Runs the child, and once more where it died by itself. */
async function findVoice(
  { pcmPath, channelCount, durationMs }: DecodedAudio,
  channels: number[],
  { signal, onProgress }: DetectSpeechOptions,
): Promise<SpeechSpan[][]> {
  const child = startNativeChild<DetectorMethods>({
    name: 'The speech detector',
    script: join(import.meta.dirname, 'detector-child.ts'),
  })
  const onEvent = (event: unknown) => {
    const seconds = event as FindVoiceProgress // all that the child emits
    onProgress?.(Math.min(1, (seconds * 1000) / durationMs))
  }
  const call = () =>
    child.call('findVoice', { modelPath, pcmPath, channelCount, channels }, { signal, timeoutMs, onEvent })
  try {
    return await call().catch((error: unknown) => {
      if (error instanceof ChildDied) return call()
      throw error
    })
  } finally {
    await child.close()
  }
}
