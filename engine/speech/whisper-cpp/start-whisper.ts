import { dirname, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ChildDied } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import type { NativeChild } from '#engine/child/native-child.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { verifyModel } from '#engine/models/verify.ts'
import type { SpeechBackend } from '../backend/speech-backend.ts'
import { audioContext, prepareSamples } from './samples.ts'
import type { WhisperMethods } from './whisper-child.ts'
import { isWhisperLanguage } from './whisper-languages.ts'

export interface WhisperOptions {
  model: SpeechModel
  /** CPU threads, asked for before each call; see availableThreads. Whisper and llama must not both have all of them. */
  threads: () => number
  /** Stops the check of the model's file; calls have signals of their own. */
  signal?: AbortSignal
  /** Another build of the native addon, for measuring. */
  addonPath?: string
}

const callTimeoutMs = 30 * 60_000
/** whisper.cpp stops between two steps of a network; one that does not is killed. */
const graceMs = 1500
const rootDir = dirname(dirname(dirname(import.meta.dirname)))
const builtAddonPath = join(rootDir, 'node_modules', '.awaz', 'whisper.node')

/**
 * Starts whisper.cpp in a child process. The model's file is checked first, and again before a new process loads it. A call during
 * which the process dies by itself is repeated once in a new process; what dies twice is a failure (ChildDied).
 */
export async function startWhisper(options: WhisperOptions): Promise<SpeechBackend> {
  const { model, threads, signal, addonPath = builtAddonPath } = options
  await verifyModel(model, { signal })
  const child = startNativeChild<WhisperMethods>({
    name: 'The speech engine',
    script: join(import.meta.dirname, 'whisper-child.ts'),
    // One thread makes all calls, and large blocks go back to the system at once: memory of one call does not add to the next one's.
    env: { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' },
    prepare: async (call) => {
      await verifyModel(model)
      await call('load', { modelPath: model.path, addonPath })
    },
  })
  const limits = { timeoutMs: callTimeoutMs, graceMs }

  return {
    capabilities: {
      engine: 'whisper.cpp 1.9.3',
      hasAudioContext: true,
      hasBeamSearch: true,
      hasWordTimes: true,
      hasPrompt: true,
      hasLanguageDetection: true,
    },
    transcribe: async (samples, { language, decoding, prompt = '', audioContext: positions, signal }) => {
      if (!isWhisperLanguage(language)) {
        throw new AppError('unsupported_language', `The speech engine has no language "${language}".`)
      }
      const params = {
        samples: prepareSamples(samples),
        threads: threads(),
        language,
        audioContext: positions ?? audioContext(samples.length, model.minAudioContext, decoding.audioContextFactor),
        decoding,
        prompt,
      }
      return twice(child, (running) => running.call('transcribe', params, { ...limits, signal }))
    },
    detectLanguages: async (samples, { signal } = {}) => {
      const params = { samples: prepareSamples(samples), threads: threads() }
      return twice(child, (running) => running.call('detectLanguages', params, { ...limits, signal }))
    },
    cpuMs: child.cpuMs,
    close: child.close,
  }
}

/** Repeats a call once where the process died by itself. */
async function twice<Result>(
  child: NativeChild<WhisperMethods>,
  call: (child: NativeChild<WhisperMethods>) => Promise<Result>,
): Promise<Result> {
  try {
    return await call(child)
  } catch (error) {
    if (!(error instanceof ChildDied)) throw error
    if (error.signal === 'SIGILL') throw wrongProcessor(error)
    return call(child)
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
