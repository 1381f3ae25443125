import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ChildDied, ChildMethodError } from '#engine/child/child-error.ts'
import { startNativeChild } from '#engine/child/native-child.ts'
import { sampleRate } from '#engine/audio/decoded-audio.ts'
import { hasExactInt8Here } from '#engine/models/cpu-features.ts'
import { chooseFiles, readWhisperLanguages } from '#engine/models/sherpa-files.ts'
import type { SherpaSpeechModel } from '#engine/models/sherpa-files.ts'
import { sherpaFamilies } from '#engine/models/sherpa-families.ts'
import { verifyModel } from '#engine/models/verify.ts'
import type { HeardWindow, SpeechBackend } from '../backend/speech-backend.ts'
import { recognizerConfig } from './recognizer-config.ts'
import { RecognizerResult } from './recognizer-result.ts'
import type { SherpaMethods } from './sherpa-child.ts'
import { readText } from './text-segments.ts'
import { padSound, readWhisper } from './whisper-window.ts'

interface SherpaOptions {
  model: SherpaSpeechModel
  /** CPU threads, asked for when the model is loaded: sherpa-onnx cannot change them later. */
  threads: () => number
  /** Stops the check of the model's files; calls have signals of their own. */
  signal?: AbortSignal
}

const callTimeoutMs = 30 * 60_000
/** A family without silence of its own behind the sound gets at least so much, because sherpa-onnx crashes on none. */
const minSeconds = 1
const positionsPerSecond = 50
/** A sound that is shorter is not divided any more. */
const minPartSeconds = 2

/**
 * Starts sherpa-onnx in a child process, because it ends the process on faults of files and settings. The files are checked first, and
 * again before a new process loads them. Nothing of it can be interrupted, so an abort kills the process. A call during which the process
 * dies by itself is repeated once in a new one; what dies twice is a failure (ChildDied).
 */
export async function startSherpa({ model, threads, signal }: SherpaOptions): Promise<SpeechBackend> {
  const { family } = model.sherpa
  const { hasLanguageDetection, hasPrompt } = sherpaFamilies[family]
  const placed = chooseFiles(model, { hasExactInt8: await hasExactInt8Here() })
  const files = Object.fromEntries(Object.entries(placed).map(([role, { path }]) => [role, path]))
  await verifyModel(model, { signal })
  const languages = family === 'whisper' ? await readWhisperLanguages(files.encoder ?? '') : undefined
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
        throw asLoadFailure(error, model)
      })
    },
  })

  async function recognize(
    samples: Float32Array,
    language: string,
    options: { hotwords?: string; signal?: AbortSignal },
  ) {
    const { hotwords, signal } = options
    const call = () =>
      child.call('recognize', { samples, config: configFor(language), hotwords }, { timeoutMs: callTimeoutMs, signal })
    const answer = await call().catch((error: unknown) => {
      if (error instanceof ChildDied) return call()
      throw error
    })
    return RecognizerResult.parse(answer)
  }

  /** Where the text of a whole window is cut short the first half of it is heard, and the rest left to the caller. */
  async function recognizeWhisper(
    samples: Float32Array,
    {
      language,
      secondsFor,
      signal,
    }: { language: string; secondsFor: (soundMs: number) => number; signal?: AbortSignal },
  ): Promise<HeardWindow> {
    const soundMs = (samples.length / sampleRate) * 1000
    const padded = padSound(samples, secondsFor(soundMs))
    const result = await recognize(padded, language, { signal })
    requireDecoded(result)
    const heard = readWhisper(result, { soundMs, paddedMs: (padded.length / sampleRate) * 1000 })
    if (heard) return heard
    if (soundMs < minPartSeconds * 1000) return { segments: [], isComplete: true }
    const half = samples.subarray(0, samples.length / 2)
    const { segments } = await recognizeWhisper(half, { language, secondsFor, signal })
    const last = segments.at(-1)
    return {
      segments: [...segments.slice(0, -1), ...(last ? [{ ...last, endMs: soundMs / 2 }] : [])],
      isComplete: false,
    }
  }

  return {
    capabilities: {
      engine: 'sherpa-onnx 1.13.8',
      hasAudioContext: family === 'whisper',
      hasBeamSearch: false,
      hasWordTimes: family !== 'qwen3-asr',
      hasPrompt,
      hasLanguageDetection,
    },
    transcribe: async (samples, { language, decoding, prompt, audioContext, signal }): Promise<HeardWindow> => {
      if (languages && !languages.has(language)) {
        throw new AppError('unsupported_language', `The speech engine has no language "${language}".`)
      }
      if (family === 'whisper') {
        const secondsFor = (soundMs: number) =>
          audioContext === undefined
            ? (decoding.audioContextFactor * soundMs) / 1000
            : audioContext / positionsPerSecond
        return recognizeWhisper(samples, { language, secondsFor, signal })
      }
      const hotwords = hasPrompt ? prompt : undefined
      const result = await recognize(finiteSound(samples), language, { hotwords, signal })
      return readText(result, (samples.length / sampleRate) * 1000)
    },
    detectLanguages: async (samples, { signal } = {}) => {
      const result = await recognize(padSound(samples), '', { signal })
      requireDecoded(result)
      return { [result.lang]: 1 }
    },
    cpuMs: child.cpuMs,
    close: child.close,
  }
}

/** sherpa-onnx catches what onnxruntime throws, and returns a result without text and, other than for silence, without language. */
function requireDecoded({ lang }: RecognizerResult): void {
  if (lang === '') throw new AppError('internal', 'The speech engine could not decode a passage.')
}

/** The sound without NaN and infinities, at least a second long. */
function finiteSound(samples: Float32Array): Float32Array {
  const sound = new Float32Array(Math.max(samples.length, minSeconds * sampleRate))
  for (const [at, sample] of samples.entries()) sound[at] = Number.isFinite(sample) ? sample : 0
  return sound
}

/** sherpa-onnx ends the process, or throws, on files that do not fit together. A process that was killed is another matter. */
function asLoadFailure(error: unknown, model: SherpaSpeechModel): unknown {
  const isRefused = error instanceof ChildMethodError || (error instanceof ChildDied && error.signal !== 'SIGKILL')
  if (!isRefused) return error
  return new AppError(
    'model_unavailable',
    `The model ${model.name} could not be loaded: its files are damaged or of another family than ${model.sherpa.family}.`,
    { help: 'Check the entry in the catalogue, and get the files again.', cause: error },
  )
}
