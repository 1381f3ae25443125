import { createRequire } from 'node:module'
import { serveChild } from '#engine/child/serve-child.ts'
import type { EmitEvent } from '#engine/child/protocol.ts'
import { compressionRatio } from '../backend/compression-ratio.ts'
import type { Decoding, HeardSegment, HeardWindow, LanguageProbabilities } from '../backend/speech-backend.ts'
import { joinWords } from './words.ts'
import type { WhisperToken } from './words.ts'

/** The one file that loads whisper.cpp (addon/addon.cc); it runs in a process of its own because native code crashes on bad input. */
interface Addon {
  load(path: string, options: { flashAttention: boolean }): Promise<AddonModel>
  transcribe(model: AddonModel, samples: Float32Array, options: AddonOptions): AddonCall<AddonWindow>
  detectLanguages(
    model: AddonModel,
    samples: Float32Array,
    options: { threads: number },
  ): AddonCall<LanguageProbabilities>
}

/** Held by the addon; nothing can be read from it. */
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
  segments: { startMs: number; endMs: number; noSpeech: number; tokens: WhisperToken[] }[]
  isComplete: boolean
}

export interface LoadParams {
  modelPath: string
  addonPath: string
}

export interface TranscribeParams {
  /** Made by prepareSamples: finite, and never too short. */
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

  transcribe: async (params: TranscribeParams, _: EmitEvent, signal: AbortSignal): Promise<HeardWindow> => {
    const { samples, decoding, ...rest } = params
    // The default of 1 s would drop speech that begins later in a packed window.
    const options = { ...rest, ...decoding, maxInitialSeconds: 30 }
    const { addon, model } = requireReady(samples, params.threads)
    const { segments, isComplete } = await abortable(addon.transcribe(model, samples, options), signal)
    return { segments: segments.map(describeSegment), isComplete }
  },

  detectLanguages: async (
    { samples, threads }: Pick<TranscribeParams, 'samples' | 'threads'>,
    _: EmitEvent,
    signal: AbortSignal,
  ): Promise<LanguageProbabilities> => {
    const { addon, model } = requireReady(samples, threads)
    return abortable(addon.detectLanguages(model, samples, { threads }), signal)
  },
}

export type WhisperMethods = typeof methods

/** What the addon does not check itself. */
function requireReady(samples: Float32Array, threads: number): { addon: Addon; model: AddonModel } {
  if (!addon || !model) throw new Error('No model is loaded')
  if (!(samples instanceof Float32Array)) throw new Error('Samples must be a Float32Array')
  if (!Number.isInteger(threads) || threads < 1) throw new Error('Threads must be an integer of 1 or more')
  return { addon, model }
}

function abortable<Result>({ promise, abort }: AddonCall<Result>, signal: AbortSignal): Promise<Result> {
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return promise
}

function describeSegment({ startMs, endMs, noSpeech, tokens }: AddonWindow['segments'][number]): HeardSegment {
  const words = joinWords(tokens)
  const text = words.map((word) => word.text).join(' ')
  const logProbability = tokens.reduce((sum, token) => sum + token.logProbability, 0) / Math.max(1, tokens.length)
  return { startMs, endMs, text, words, logProbability, noSpeech, compressionRatio: compressionRatio(text) }
}

serveChild(methods)
