import { createRequire } from 'node:module'
import { serveChild } from '#engine/child/serve-child.ts'
import type { EmitEvent } from '#engine/child/protocol.ts'
import { compressionRatio } from '../backend/compression-ratio.ts'
import type {
  Decoding,
  TranscribedSegment,
  TranscribedWindow,
  LanguageProbabilities,
} from '../backend/speech-backend.ts'
import { joinWords } from './words.ts'
import type { WhisperToken } from './words.ts'

/** The addon over whisper.cpp (addon/addon.cc). Only this process loads it, because native code crashes on invalid input. */
interface Addon {
  load(path: string, options: { flashAttention: boolean }): Promise<AddonModel>
  transcribe(model: AddonModel, samples: Float32Array, options: AddonOptions): AddonCall<AddonWindow>
  detectLanguages(
    model: AddonModel,
    samples: Float32Array,
    options: { threads: number },
  ): AddonCall<LanguageProbabilities>
}

/** Opaque handle of the addon. */
type AddonModel = object

interface AddonCall<Result> {
  promise: Promise<Result>
  abort(): void
}

interface AddonOptions extends Decoding {
  threads: number
  language: string
  prompt: string
  audioContext: number
  maxInitialSeconds: number
}

interface AddonWindow {
  segments: { startMs: number; endMs: number; noSpeechProbability: number; tokens: WhisperToken[] }[]
  isComplete: boolean
}

export interface LoadParams {
  modelPath: string
  addonPath: string
}

export interface TranscribeParams {
  /** From prepareSamples: finite, and long enough. */
  samples: Float32Array
  threads: number
  language: string
  audioContext: number
  decoding: Decoding
  prompt: string
}

let addon: Addon | undefined
let model: AddonModel | undefined

const methods = {
  load: async ({ modelPath, addonPath }: LoadParams): Promise<void> => {
    addon = createRequire(import.meta.url)(addonPath) as Addon // the interface above describes addon.cc
    model = await addon.load(modelPath, { flashAttention: true })
  },

  transcribe: async (params: TranscribeParams, _: EmitEvent, signal: AbortSignal): Promise<TranscribedWindow> => {
    const { samples, decoding, ...rest } = params
    // The default of whisper.cpp. It is enough: a window, or the rest of one, begins 300 ms before speech.
    const options = { ...rest, ...decoding, maxInitialSeconds: 1 }
    const { addon, model } = requireReady(samples, params.threads)
    const { segments, isComplete } = await runAbortable(addon.transcribe(model, samples, options), signal)
    return { segments: segments.map(toSegment), isComplete }
  },

  detectLanguages: async (
    { samples, threads }: Pick<TranscribeParams, 'samples' | 'threads'>,
    _: EmitEvent,
    signal: AbortSignal,
  ): Promise<LanguageProbabilities> => {
    const { addon, model } = requireReady(samples, threads)
    return runAbortable(addon.detectLanguages(model, samples, { threads }), signal)
  },
}

export type WhisperMethods = typeof methods

/** Checks what the addon does not check, and returns it with the loaded model. */
function requireReady(samples: Float32Array, threads: number): { addon: Addon; model: AddonModel } {
  if (!addon || !model) throw new Error('No model is loaded')
  if (!(samples instanceof Float32Array)) throw new Error('Samples must be a Float32Array')
  if (!Number.isInteger(threads) || threads < 1) throw new Error('Threads must be an integer of 1 or more')
  return { addon, model }
}

function runAbortable<Result>({ promise, abort }: AddonCall<Result>, signal: AbortSignal): Promise<Result> {
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return promise
}

function toSegment({
  startMs,
  endMs,
  noSpeechProbability,
  tokens,
}: AddonWindow['segments'][number]): TranscribedSegment {
  const words = joinWords(tokens)
  const text = words.map((word) => word.text).join(' ')
  const meanLogProbability = tokens.reduce((sum, token) => sum + token.logProbability, 0) / Math.max(1, tokens.length)
  const ratio = compressionRatio(text)
  return { startMs, endMs, text, words, meanLogProbability, noSpeechProbability, compressionRatio: ratio }
}

serveChild(methods)
