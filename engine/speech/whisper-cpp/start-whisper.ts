import { dirname, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ChildDied } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import { retryOnceAfterCrash } from '#engine/child/retry-once-after-crash.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { speechEngines } from '#engine/models/speech-engines.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { computeAudioContext } from '../audio-context.ts'
import type { SpeechBackend } from '../backend/speech-backend.ts'
import { prepareSamples } from './samples.ts'
import type { WhisperMethods } from './whisper-child.ts'
import { isWhisperLanguage } from './whisper-languages.ts'

export interface WhisperOptions {
  model: SpeechModel
  /** Returns the number of CPU threads; called before each call. See availableThreads. Whisper and llama must not both use all of them. */
  threads: () => number
  /** Aborts the verification of the model's file; calls have their own signals. */
  signal?: AbortSignal
  /** Another build of the native addon, for benchmarks. */
  addonPath?: string
}

const callTimeoutMs = 30 * 60_000
/** whisper.cpp stops between two graph computations; a process that does not stop in time is killed. */
const graceMs = 1500
const rootDir = dirname(dirname(dirname(import.meta.dirname)))
const builtAddonPath = join(rootDir, 'node_modules', '.awaz', 'whisper.node')

/**
 * Starts whisper.cpp in a child process. The model's file is verified first, and again before a new process loads it. A call during which
 * the process dies is repeated once in a new process; if that dies too, the call rejects with ChildDied.
 */
export async function startWhisper(options: WhisperOptions): Promise<SpeechBackend> {
  const { model, threads, signal, addonPath = builtAddonPath } = options
  await verifyModel(model, { signal })
  const child = startNativeChild<WhisperMethods>({
    name: 'The speech engine',
    script: join(import.meta.dirname, 'whisper-child.ts'),
    // One thread makes all calls, and large blocks are returned to the system at once, so that memory does not add up across calls.
    env: { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' },
    prepare: async (call) => {
      await verifyModel(model)
      await call('load', { modelPath: model.path, addonPath })
    },
  })
  const limits = { timeoutMs: callTimeoutMs, graceMs }

  return {
    capabilities: {
      engine: speechEngines.whisperCpp,
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
        audioContext:
          positions ?? computeAudioContext(samples.length, model.minAudioContext, decoding.audioContextFactor),
        decoding,
        prompt,
      }
      return retryUnlessIllegal(() => child.call('transcribe', params, { ...limits, signal }))
    },
    detectLanguages: async (samples, { signal } = {}) => {
      const params = { samples: prepareSamples(samples), threads: threads() }
      return retryUnlessIllegal(() => child.call('detectLanguages', params, { ...limits, signal }))
    },
    cpuMs: child.cpuMs,
    close: child.close,
  }
}

/** Repeats a call once after a crash, except after an illegal instruction, which would occur again. */
function retryUnlessIllegal<Result>(call: () => Promise<Result>): Promise<Result> {
  return retryOnceAfterCrash(() =>
    call().catch((error: unknown) => {
      throw error instanceof ChildDied && error.signal === 'SIGILL' ? wrongProcessorError(error) : error
    }),
  )
}

function wrongProcessorError(cause: ChildDied): AppError {
  return new AppError(
    'unavailable',
    'The speech engine was built for another kind of processor than this machine has.',
    {
      help: 'Remove node_modules/.awaz and start Awaz again, so that it is built for this machine.',
      cause,
    },
  )
}
