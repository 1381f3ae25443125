import { createRequire } from 'node:module'
import type { binding, TranscribeDetailedResult, TranscribeParams, WhisperModel } from 'smart-whisper'
import { serveChild } from '#engine/child/serve-child.ts'
import { isWhisperLanguage } from './whisper-languages.ts'

/**
 * The one file that loads smart-whisper's native code; it runs in a process of its own because that code crashes on bad input.
 * The addon is loaded by its file: the package's own entry makes a folder in the user's home and keeps every result for ever.
 * Of smart-whisper's parameters these do what they say in 0.8.1: strategy, n_threads, language, audio_ctx, max_initial_ts,
 * temperature_inc, n_max_text_ctx, duration_ms, suppress_non_speech_tokens. It passes on neither `detect_language` nor an abort
 * callback, has no progress in percent, and `no_speech_thold` is read by nothing.
 */
type Addon = typeof binding

export interface LoadParams {
  modelPath: string
  /** The addon to load; the installed one by default. */
  addonPath?: string
}

export interface ListenParams {
  /** Made by prepareSamples: real Float32Array, finite, with its tail. */
  samples: Float32Array
  threads: number
  language: string
  audioContext: number
  /** Longest text of a segment in tokens; 0 for no limit. */
  maxTokens: number
}

/** A segment as Whisper gives it: its times are of the window, its start may be the end of the one before. */
export interface RawSegment {
  startMs: number
  endMs: number
  text: string
  /** Mean probability of the tokens, 0 to 1. */
  confidence: number
}

let addon: Addon | undefined
let model: WhisperModel | undefined

const methods = {
  load: async ({ modelPath, addonPath = 'smart-whisper/build/Release/smart-whisper.node' }: LoadParams) => {
    addon = createRequire(import.meta.url)(addonPath) as Addon // the package's types describe this very file
    model = await addon.WhisperModel.load(modelPath, false)
  },

  transcribe: async ({ samples, threads, language, audioContext, maxTokens }: ListenParams): Promise<RawSegment[]> => {
    if (!isWhisperLanguage(language)) throw new Error(`Whisper has no language ${language}`)
    return listen(samples, { n_threads: threads, language, audio_ctx: audioContext, max_tokens: maxTokens })
  },

  /** Only detects: the length of 1 ms ends the call right after it. What was detected is a line of whisper.cpp's log. */
  detectLanguage: async ({ samples, threads }: Pick<ListenParams, 'samples' | 'threads'>): Promise<void> => {
    await listen(samples, { n_threads: threads, language: 'auto', duration_ms: 1 })
  },
}

export type WhisperMethods = typeof methods

type Params = Partial<TranscribeParams<'detail', false>>

/** Greedy decoding without fallback: the same samples give the same text every time. */
const fixedParams: Params = {
  strategy: 0,
  temperature: 0,
  temperature_inc: 0,
  format: 'detail',
  no_context: true,
  // A window knows nothing of the text before it, so that a repetition cannot feed itself.
  n_max_text_ctx: 0,
  // The default of 1 s would drop speech that begins later in the window.
  max_initial_ts: 30,
  suppress_non_speech_tokens: true,
  print_progress: false,
  print_timestamps: false,
}

async function listen(samples: Float32Array, params: Params): Promise<RawSegment[]> {
  const handle = model?.handle
  if (!addon || !handle) throw new Error('No model is loaded')
  requireSafe(samples, params.n_threads)
  const { promise, resolve } = Promise.withResolvers<TranscribeDetailedResult<false>[] | Error>()
  // The last argument hears of new segments while they still change, so nothing is read from it.
  addon.transcribe<'detail', false>(handle, samples, { ...fixedParams, ...params }, resolve, () => {})
  const result = await promise
  if (result instanceof Error) throw result
  return result.map(({ from, to, text, confidence }) => ({ startMs: from, endMs: to, text, confidence }))
}

/** What the addon itself does not check and would overflow the heap, abort or hang on. */
function requireSafe(samples: Float32Array, threads: number | undefined): void {
  if (!(samples instanceof Float32Array)) throw new Error('Samples must be a Float32Array')
  if (!Number.isInteger(threads) || Number(threads) < 1) throw new Error('Threads must be an integer of 1 or more')
}

serveChild(methods)
