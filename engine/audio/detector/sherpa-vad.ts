import { createRequire } from 'node:module'
import { sampleRate } from '../decoded-audio.ts'

const require = createRequire(import.meta.url)

/** Silero's network judges 512 samples at a time, and hears the last 64 of those before along with them. */
export const windowSamples = 512
export const contextSamples = 64

/** A voice activity detector of sherpa-onnx-node, which ships no types; only what is used of it. */
export interface SherpaVad {
  acceptWaveform(samples: Float32Array): void
  /** Whether the last window judged holds a voice. The first window of a voice counts as silence still. */
  isDetected(): boolean
  reset(): void
  /** Makes it forget the sound of the voice so far; its judgement stays what it is. */
  flush(): void
  /** Forgets the segments that it has cut. */
  clear(): void
}

interface Sherpa {
  Vad: new (config: object, bufferSeconds: number) => SherpaVad
}

/**
 * Loads Silero's network. A voice begins with a probability above `threshold` and ends at 0.15 below it. Native code: a damaged
 * file ends the process.
 *
 * The durations are as short as can be (0 would mean the defaults), because sherpa-onnx's own segments carry all their samples
 * and begin and end at times that these durations shift.
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
