import { createRequire } from 'node:module'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { serveChild } from '#engine/child/serve-child.ts'
import type { RecognizerConfig } from './recognizer-config.ts'

/** sherpa-onnx-node ships no types; only what is used of it. It ends the process on most faults, so it runs in one of its own. */
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
  /** Finite, and never shorter or longer than the family takes. */
  samples: Float32Array
  config: RecognizerConfig
  /** Names for families that take them, separated by commas. */
  hotwords?: string
}

let recognizer: Recognizer | undefined
let current = ''

const methods = {
  load: async (config: RecognizerConfig): Promise<void> => {
    const sherpa = createRequire(import.meta.url)('sherpa-onnx-node') as Sherpa // the interface above describes it
    recognizer = await sherpa.OfflineRecognizer.createAsync(config)
    current = JSON.stringify(config)
  },

  /** What RecognizerResult describes. */
  recognize: async ({ samples, config, hotwords }: RecognizeParams): Promise<unknown> => {
    if (!recognizer) throw new Error('No model is loaded')
    if (!(samples instanceof Float32Array) || samples.length < 2) throw new Error('There are no samples')
    const wanted = JSON.stringify(config)
    if (wanted !== current) recognizer.setConfig(config)
    current = wanted
    const stream = recognizer.createStream()
    if (hotwords) stream.setOption('hotwords', hotwords)
    stream.acceptWaveform({ samples, sampleRate })
    return recognizer.decodeAsync(stream)
  },
}

export type SherpaMethods = typeof methods

serveChild(methods)
