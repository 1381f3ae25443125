import { createRequire } from 'node:module'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { serveChild } from '#engine/child/serve-child.ts'
import type { RecognizerConfig } from './recognizer-config.ts'

/** The part of sherpa-onnx-node that we use; it ships no types. It exits on most errors, so it runs in a separate process. */
interface Sherpa {
  OfflineRecognizer: { createAsync(config: RecognizerConfig): Promise<Recognizer> }
}

interface Recognizer {
  createStream(): Stream
  setConfig(config: RecognizerConfig): void
  decodeAsync(stream: Stream): Promise<unknown>
}

interface Stream {
  acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void
  setOption(key: string, value: string): void
}

interface RecognizeParams {
  /** Finite, and within the limits of the family. */
  samples: Float32Array
  config: RecognizerConfig
  /** Options of the stream: `hotwords`, which are names separated by commas, and `language`, for families that take them. */
  options: Record<string, string>
}

let recognizer: Recognizer | undefined
let currentConfig = ''

const methods = {
  load: async (config: RecognizerConfig): Promise<void> => {
    const sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa // the interface above describes it
    recognizer = await sherpa.OfflineRecognizer.createAsync(config)
    currentConfig = JSON.stringify(config)
  },

  /** Returns a RecognizerResult. */
  recognize: async ({ samples, config, options }: RecognizeParams): Promise<unknown> => {
    if (!recognizer) throw new Error('No model is loaded')
    if (!(samples instanceof Float32Array) || samples.length < 2) throw new Error('There are no samples')
    const requested = JSON.stringify(config)
    if (requested !== currentConfig) recognizer.setConfig(config)
    currentConfig = requested
    const stream = recognizer.createStream()
    for (const [key, value] of Object.entries(options)) stream.setOption(key, value)
    stream.acceptWaveform({ samples, sampleRate })
    return recognizer.decodeAsync(stream)
  },
}

export type SherpaMethods = typeof methods

serveChild(methods)
