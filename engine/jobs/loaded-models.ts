import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import type { EngineStatus } from '#contract/entities/engine.ts'
import type { SpeechModel, TranslationModel } from '#engine/models/model-entry.ts'
import { pinModel } from '#engine/models/pin-model.ts'
import type { SpeechBackend } from '#engine/speech/backend/speech-backend.ts'
import { createSpeechBackendCache } from '#engine/speech/speech-backend-cache.ts'
import type { SpeechBackendCache, SpeechBackendCacheOptions } from '#engine/speech/speech-backend-cache.ts'
import { startTranslator } from '#engine/translation/llama.ts'
import type { Translator } from '#engine/translation/llama.ts'
import type { RemoteTranslation } from '#engine/translation/remote/remote-translation.ts'
import { sampleRate } from '../audio/decoded-audio.ts'
import { createSpeedMeter } from './speed-meter.ts'

export interface LoadedModels {
  /** Loads a speech model with the first window; a translation model is unloaded first. */
  speech: SpeechBackendCache
  /** Returns the translator with the current weights, loaded with the first text; a speech model is unloaded first. */
  translator(model: TranslationModel, options: { signal?: AbortSignal }): Promise<Translator>
  /** Runs `work`; afterwards the models stay loaded for the idle time. */
  during<Value>(work: () => Promise<Value>): Promise<Value>
  /** Returns whether this model is in memory. */
  has(modelId: string): boolean
  /** Returns the loaded model, its device, and the speed of models over the last few minutes. */
  describe(): Pick<EngineStatus, 'model' | 'device' | 'speeds'>
  /** Frees all memory. */
  close(): Promise<void>
}

interface LoadedModelsOptions extends SpeechBackendCacheOptions {
  /** Translation servers, for models that they run. The caller closes them. */
  remoteTranslation?: RemoteTranslation
  /** The GPU API for translation; default: the CPU. */
  translationGpu?: 'cuda' | 'vulkan'
  /** Called with each warning about a translation model while it is loaded, as one sentence. */
  onWarning?: (sentence: string) => void
  idleMs: number
  modelsDir?: string
}

/**
 * Keeps the model of the last job in memory, so that a queue of short texts or calls does not load gigabytes for each. At most one
 * model is in memory, and none after `idleMs` without jobs, to leave the memory to other programs.
 */
export function keepModelsLoaded({
  threads,
  remote,
  remoteTranslation,
  translationGpu,
  onWarning,
  idleMs,
  modelsDir,
}: LoadedModelsOptions): LoadedModels {
  const backends = createSpeechBackendCache({ threads, remote })
  const meter = createSpeedMeter()
  let loadedSpeech: { model: SpeechModel; backend: SpeechBackend; measured: SpeechBackend } | undefined
  let current: Translator | undefined
  let idle: NodeJS.Timeout | undefined

  async function closeTranslator() {
    const closing = current
    current = undefined
    await closing?.close()
  }

  async function closeSpeech() {
    loadedSpeech = undefined
    await backends.close()
  }

  async function close() {
    clearTimeout(idle)
    await Promise.all([closeSpeech(), closeTranslator()])
  }

  const speech: SpeechBackendCache = {
    async use(model, options) {
      // A model on transcription servers takes no memory here.
      if (model.remoteName === undefined) await closeTranslator()
      const backend = await backends.use(model, options)
      if (loadedSpeech?.backend !== backend) loadedSpeech = { model, backend, measured: measure(model, backend) }
      return loadedSpeech.measured
    },
    close: closeSpeech,
  }

  /** Wraps a backend to record the speed of each window. */
  function measure(model: SpeechModel, backend: SpeechBackend): SpeechBackend {
    return {
      capabilities: backend.capabilities,
      async transcribe(samples, options) {
        const startedAt = performance.now()
        const transcribed = await backend.transcribe(samples, options)
        const audioMs = (samples.length / sampleRate) * 1000
        meter.record({ model: model.name, audioMs, workMs: performance.now() - startedAt })
        return transcribed
      },
      detectLanguages: (samples, options) => backend.detectLanguages(samples, options),
      cpuMs: () => backend.cpuMs(),
      close: () => backend.close(),
    }
  }

  async function translator(chosen: TranslationModel, { signal }: { signal?: AbortSignal }) {
    // A model on translation servers takes no memory here.
    if (chosen.remoteName !== undefined) return requireRemote(remoteTranslation).use(chosen)
    await closeSpeech()
    const model = await pinModel(chosen, { modelsDir, signal })
    if (current && isDeepStrictEqual(current.model, model)) return current
    await closeTranslator()
    current = await startTranslator({ model, threads, gpu: translationGpu, signal, onWarning })
    return current
  }

  async function during<Value>(work: () => Promise<Value>) {
    clearTimeout(idle)
    try {
      return await work()
    } finally {
      if (idleMs === 0) await close()
      else idle = setTimeout(() => void close(), idleMs).unref()
    }
  }

  function has(modelId: string) {
    return loadedSpeech?.model.id === modelId || current?.model.id === modelId
  }

  function describe() {
    const model = loadedSpeech?.model ?? current?.model
    return {
      model: model ? { id: model.id, name: model.name, kind: model.kind } : null,
      device: loadedSpeech?.backend.capabilities.engine ?? (current ? `llama.cpp, ${translationGpu ?? 'CPU'}` : null),
      speeds: meter.read(),
    }
  }

  return { speech, translator, during, has, describe, close }
}

function requireRemote(remote: RemoteTranslation | undefined): RemoteTranslation {
  if (remote) return remote
  throw new AppError('model_unavailable', 'There are no translation servers.', { help: 'Set TRANSLATION_SERVERS.' })
}
