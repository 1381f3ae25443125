import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ChildDied } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import type { NativeChild } from '#engine/child/native-child.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { audioContext, prepareSamples } from './samples.ts'
import type { RawSegment, WhisperMethods } from './whisper-child.ts'
import { isWhisperLanguage } from './whisper-languages.ts'

export interface WhisperOptions {
  model: SpeechModel
  /** CPU threads, asked for before each call; see availableThreads. Whisper and llama must not both have all of them. */
  threads: () => number
  /** Stops the check of the model's file; calls have signals of their own. */
  signal?: AbortSignal
  /** Calls after which the process is replaced, against leaks of native memory; 200 by default. */
  callsPerProcess?: number
  /** Another build of the native addon, for measuring. */
  addonPath?: string
}

export interface TranscribeWindowOptions {
  language: string
  signal?: AbortSignal
  /** Encoder positions, 1500 for all; what the window needs by default. */
  audioContext?: number
  /** Longest text of a segment in tokens; no limit by default. */
  maxTokens?: number
}

export interface DetectedLanguage {
  /** Whisper's code, which may be none of the product's languages. */
  language: string
  /** The model's own probability of it among all its languages, 0 to 1. */
  probability: number
}

export interface Whisper {
  /** The segments heard in a window of at most 30 s, 16 kHz, -1 to 1. */
  transcribe(samples: Float32Array, options: TranscribeWindowOptions): Promise<RawSegment[]>
  /** The language of up to 30 s of sound. Always costs a full encoder run. */
  detectLanguage(samples: Float32Array, options?: { signal?: AbortSignal }): Promise<DetectedLanguage>
  /** CPU time used so far by the child processes, as of the last answer. */
  cpuMs(): number
  /** Kills the process and waits until it is gone. */
  close(): Promise<void>
}

const longestCallMs = 30 * 60_000

/**
 * Whisper in a child process. The model's file is checked first, because the native code crashes on a bad one. A call during which
 * the process dies by itself is repeated once in a new process; what dies twice is a failure (ChildDied). An abort kills the
 * process, the only way to stop whisper.cpp; the next call starts another.
 */
export async function startWhisper(options: WhisperOptions): Promise<Whisper> {
  const { model, threads, signal, callsPerProcess = 200, addonPath } = options
  await verifyModel(model, { signal })
  const languageLog = watchLanguageLog()
  const child = startNativeChild<WhisperMethods>({
    name: 'The speech engine',
    script: join(import.meta.dirname, 'whisper-child.ts'),
    // In production smart-whisper silences whisper.cpp's log, which alone names the language's probability.
    env: { NODE_ENV: 'development' },
    prepare: (call) => call('load', { modelPath: model.path, addonPath }),
    onLine: languageLog.read,
  })
  let calls = 0

  async function guarded<T>(call: (child: NativeChild<WhisperMethods>) => Promise<T>): Promise<T> {
    if (calls > 0 && calls % callsPerProcess === 0) await child.recycle()
    calls += 1
    try {
      return await call(child)
    } catch (error) {
      if (!(error instanceof ChildDied)) throw error
      if (error.signal === 'SIGILL') throw wrongProcessor(error)
      return call(child)
    }
  }

  return {
    transcribe: (samples, { language, signal, audioContext: context, maxTokens = 0 }) => {
      if (!isWhisperLanguage(language)) {
        throw new AppError('unsupported_language', `The speech engine has no language "${language}".`)
      }
      const params = {
        samples: prepareSamples(samples),
        threads: threads(),
        language,
        audioContext: context ?? audioContext(samples.length, model.minAudioContext),
        maxTokens,
      }
      return guarded((running) => running.call('transcribe', params, { signal, timeoutMs: longestCallMs }))
    },
    detectLanguage: (samples, { signal } = {}) =>
      guarded(async (running) => {
        const line = languageLog.next()
        await running.call(
          'detectLanguage',
          { samples: prepareSamples(samples), threads: threads() },
          { signal, timeoutMs: longestCallMs },
        )
        return line.withinMs(2000)
      }),
    cpuMs: child.cpuMs,
    close: child.close,
  }
}

/** Reads what whisper.cpp logs of a detection. Output and answers come through two pipes, so a line may come after its answer. */
function watchLanguageLog() {
  const pattern = /auto-detected language: (\w+) \(p = ([\d.]+)\)/
  let waiting: ((found: DetectedLanguage) => void) | undefined
  return {
    read(line: string): void {
      const [, language, probability] = pattern.exec(line) ?? []
      if (language) waiting?.({ language, probability: Math.min(1, Number(probability)) })
    },
    next() {
      const { promise, resolve, reject } = Promise.withResolvers<DetectedLanguage>()
      waiting = resolve
      return {
        async withinMs(ms: number): Promise<DetectedLanguage> {
          const late = setTimeout(
            () => reject(new AppError('internal', 'The speech engine did not name the language.')),
            ms,
          )
          return promise.finally(() => clearTimeout(late))
        },
      }
    },
  }
}

function wrongProcessor(cause: ChildDied): AppError {
  return new AppError(
    'unavailable',
    'The speech engine was built for another kind of processor than this machine has.',
    {
      help: 'Remove node_modules/.awaz and start Awaz again, so that it is built for this machine.',
      cause,
    },
  )
}
