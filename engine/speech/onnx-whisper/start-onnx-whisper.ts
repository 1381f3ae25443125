import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { ChildDied, ChildMethodError } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import { retryOnceAfterCrash } from '#engine/child/retry-once-after-crash.ts'
import { hasExactInt8Here } from '#engine/models/cpu-features.ts'
import { chooseFiles, readWhisperLanguages } from '#engine/models/sherpa-files.ts'
import type { SherpaSpeechModel } from '#engine/models/sherpa-files.ts'
import { speechEngines } from '#engine/models/speech-engines.ts'
import { verifyModel } from '#engine/models/verify.ts'
import { computeAudioContext, maxAudioContext } from '../audio-context.ts'
import type { SpeechBackend } from '../backend/speech-backend.ts'
import type { OnnxWhisperMethods } from './onnx-whisper-child.ts'

interface OnnxWhisperOptions {
  model: SherpaSpeechModel
  /** Returns the number of CPU threads; called when the model is loaded, because onnxruntime cannot change it later. */
  threads: () => number
  /** Aborts the verification of the model's files; each call has a separate signal. */
  signal?: AbortSignal
}

/**
 * One thread makes all calls. Memory is kept between the tokens of a text: returning each block to the system at once, as for whisper.cpp,
 * took as much CPU time as the model.
 */
const env = {
  UV_THREADPOOL_SIZE: '1',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(32 * 2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(128 * 2 ** 20),
}
const callTimeoutMs = 30 * 60_000
/** The child stops between two tokens; a process that does not stop in time is killed. */
const graceMs = 1500
const maxSamples = 30 * sampleRate

/**
 * Starts Whisper on onnxruntime in a child process, with the files that sherpa-onnx uses. The files are verified first, and again before a
 * new process loads them. A call during which the process dies is repeated once in a new process; if that dies too, the call rejects with
 * ChildDied.
 */
export async function startOnnxWhisper({ model, threads, signal }: OnnxWhisperOptions): Promise<SpeechBackend> {
  const { encoder, decoder, tokens } = chooseFiles(model, { hasExactInt8: await hasExactInt8Here() })
  await verifyModel(model, { signal })
  if (!encoder || !decoder || !tokens) throw loadError(model)
  const languages = await readWhisperLanguages(encoder.path)
  const child = startNativeChild<OnnxWhisperMethods>({
    name: 'The speech engine',
    script: join(import.meta.dirname, 'onnx-whisper-child.ts'),
    env,
    youngMiB: 32,
    prepare: async (call) => {
      await verifyModel(model)
      const paths = { encoder: encoder.path, decoder: decoder.path, tokens: tokens.path }
      await call('load', { ...paths, threads: threads() }).catch((error: unknown) => {
        throw isRefusal(error) ? loadError(model, error) : error
      })
    },
  })
  const limits = { timeoutMs: callTimeoutMs, graceMs }

  return {
    capabilities: {
      engine: speechEngines.onnxRuntime,
      hasAudioContext: true,
      hasBeamSearch: true,
      hasWordTimes: true,
      hasPrompt: true,
      hasLanguageDetection: true,
      hasNearlyHeard: true,
    },
    transcribe: async (samples, { language, decoding, prompt = '', keywords, audioContext, signal }) => {
      if (!languages.has(language)) {
        throw new AppError('unsupported_language', `The speech engine has no language "${language}".`)
      }
      const positions =
        audioContext ?? computeAudioContext(samples.length, model.minAudioContext, decoding.audioContextFactor)
      const params = { samples: samples.slice(0, maxSamples), positions, language, decoding, prompt, keywords }
      return retryOnceAfterCrash(() => child.call('transcribe', params, { ...limits, signal }))
    },
    detectLanguages: async (samples, { signal } = {}) => {
      const params = { samples: samples.slice(0, maxSamples), positions: maxAudioContext }
      return retryOnceAfterCrash(() => child.call('detectLanguages', params, { ...limits, signal }))
    },
    cpuMs: child.cpuMs,
    close: child.close,
  }
}

/** Whether the process rejected the files. If it was killed, there was another cause. */
function isRefusal(error: unknown): boolean {
  return error instanceof ChildMethodError || (error instanceof ChildDied && error.signal !== 'SIGKILL')
}

function loadError(model: SherpaSpeechModel, cause?: unknown): AppError {
  return new AppError(
    'model_unavailable',
    `The model ${model.name} could not be loaded: its files are damaged or not a Whisper model exported for sherpa-onnx.`,
    { help: 'Check the catalogue entry and download the files again.', cause },
  )
}
