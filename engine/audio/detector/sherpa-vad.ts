import { createRequire } from 'node:module'
import { sampleRate } from '../decoded-audio.ts'

const require = createRequire(import.meta.url)

/** Silero VAD classifies windows of 512 samples, each with the last 64 samples of the one before as context. */
export const windowSamples = 512
export const contextSamples = 64

/** The part that we use of a voice activity detector in sherpa-onnx-node, which ships no types. */
export interface SherpaVad {
  acceptWaveform(samples: Float32Array): void
  /** Whether the last classified window is voiced. The first window of a voice still counts as silence. */
  isDetected(): boolean
  reset(): void
  /** Drops the buffered samples of the current voice; the state of the detection stays. */
  flush(): void
  /** Drops the finished segments. */
  clear(): void
}

interface Sherpa {
  Vad: new (config: object, bufferSeconds: number) => SherpaVad
}

/**
 * Loads Silero VAD. A voice starts above the probability `threshold` and ends at 0.15 below it. Native code: a damaged file ends the
 * process.
 *
 * The durations are as short as possible (0 would mean the defaults), because we do not use sherpa-onnx's segments: they carry all their
 * samples, and these durations shift their times.
 */
export function loadVad(modelPath: string, threshold: number): SherpaVad {
  const sherpa = require('sherpa-onnx-node') as Sherpa // it ships no types
  const sileroVad = {
    model: modelPath,
    threshold,
    windowSize: windowSamples,
    minSilenceDuration: 0.001,
    minSpeechDuration: 0.001,
    maxSpeechDuration: 20,
  }
  return new sherpa.Vad({ sileroVad, sampleRate, numThreads: 1 }, 30)
}
