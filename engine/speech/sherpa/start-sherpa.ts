import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ChildDied, ChildMethodError } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import { retryOnceAfterCrash } from '#engine/child/retry-once-after-crash.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { hasExactInt8Here } from '#engine/models/cpu-features.ts'
import { chooseFiles } from '#engine/models/sherpa-files.ts'
import type { SherpaSpeechModel } from '#engine/models/sherpa-files.ts'
import { sherpaFamilies } from '#engine/models/sherpa-families.ts'
import type { SherpaEngineFamily } from '#engine/models/sherpa-families.ts'
import { speechEngines } from '#engine/models/speech-engines.ts'
import { verifyModel } from '#engine/models/verify.ts'
import type { SpeechBackend } from '../backend/speech-backend.ts'
import { recognizerConfig, streamOptions } from './recognizer-config.ts'
import { RecognizerResult } from './recognizer-result.ts'
import type { SherpaMethods } from './sherpa-child.ts'
import { readTextResult } from './text-segments.ts'

interface SherpaOptions {
  model: SherpaSpeechModel
  /** Returns the number of CPU threads; called when the model is loaded, because sherpa-onnx cannot change it later. */
  threads: () => number
  /** Aborts the verification of the model's files; each call has a separate signal. */
  signal?: AbortSignal
}

const callTimeoutMs = 30 * 60_000
/** Minimum length of the audio: sherpa-onnx crashes on empty audio. */
const minSeconds = 1

/**
 * Starts sherpa-onnx in a child process, because it exits on invalid files and settings. The files are verified first, and again before a
 * new process loads them. Calls cannot be interrupted, so an abort kills the process. A call during which the process dies is repeated
 * once in a new process; if that dies too, the call rejects with ChildDied.
 */
export async function startSherpa({ model, threads, signal }: SherpaOptions): Promise<SpeechBackend> {
  const family = engineFamilyOf(model)
  const { hasLanguageDetection, hasPrompt, hasWordTimes } = sherpaFamilies[family]
  const chosen = chooseFiles(model, { hasExactInt8: await hasExactInt8Here() })
  const files = Object.fromEntries(Object.entries(chosen).map(([role, { path }]) => [role, path]))
  await verifyModel(model, { signal })
  let loadedThreads = 1
  const configFor = (language: string) => recognizerConfig({ family, files, threads: loadedThreads, language })
  const child = startNativeChild<SherpaMethods>({
    name: 'The speech engine',
    script: join(import.meta.dirname, 'sherpa-child.ts'),
    env: { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' },
    prepare: async (call) => {
      await verifyModel(model)
      loadedThreads = threads()
      await call('load', configFor(model.languages[0] ?? '')).catch((error: unknown) => {
        throw toLoadError(error, model)
      })
    },
  })

  async function recognize(
    samples: Float32Array,
    language: string,
    options: { hotwords?: string; signal?: AbortSignal },
  ) {
    const { hotwords, signal } = options
    const ofStream = streamOptions(family, { hotwords, language })
    const params = { samples, config: configFor(language), options: ofStream }
    const result = await retryOnceAfterCrash(() =>
      child.call('recognize', params, { timeoutMs: callTimeoutMs, signal }),
    )
    return RecognizerResult.parse(result)
  }

  return {
    capabilities: {
      engine: speechEngines.sherpaOnnx,
      hasAudioContext: false,
      hasBeamSearch: false,
      hasWordTimes,
      hasPrompt,
      hasLanguageDetection,
    },
    transcribe: async (samples, { language, prompt, signal }) => {
      const hotwords = hasPrompt ? prompt : undefined
      const result = await recognize(prepareSamples(samples), language, { hotwords, signal })
      return readTextResult(result, (samples.length / sampleRate) * 1000)
    },
    detectLanguages: async () => {
      throw new AppError('unsupported_language', `The model ${model.name} does not detect languages.`)
    },
    cpuMs: child.cpuMs,
    close: child.close,
  }
}

function engineFamilyOf({ sherpa: { family } }: SherpaSpeechModel): SherpaEngineFamily {
  if (family === 'whisper') throw new Error('Whisper is run by startOnnxWhisper')
  return family
}

/** Returns the samples without NaN and infinities, padded to at least a second. */
function prepareSamples(samples: Float32Array): Float32Array {
  const sound = new Float32Array(Math.max(samples.length, minSeconds * sampleRate))
  for (const [at, sample] of samples.entries()) sound[at] = Number.isFinite(sample) ? sample : 0
  return sound
}

/** Converts a loading error: sherpa-onnx exits or throws on invalid files. If the process was killed, there was another cause. */
function toLoadError(error: unknown, model: SherpaSpeechModel): unknown {
  const isRefused = error instanceof ChildMethodError || (error instanceof ChildDied && error.signal !== 'SIGKILL')
  if (!isRefused) return error
  return new AppError(
    'model_unavailable',
    `The model ${model.name} could not be loaded: its files are damaged or of another family than ${model.sherpa.family}.`,
    { help: 'Check the catalogue entry and download the files again.', cause: error },
  )
}
