import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { assertUnchanged } from '#engine/models/pin-model.ts'
import { freeThreads, threadsFor } from '#engine/threads.ts'
import { startBackend } from './start-backend.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'
import type { RemoteSpeech } from './remote/remote-speech.ts'

/** Keeps the most recently used speech backend. */
export interface SpeechBackendCache {
  /**
   * Returns the backend for this model. A backend for another model, or for the same model with other weights or settings, is closed first,
   * so that memory holds only one model. Calls with a pinned model reject with ModelChangedError once the model's files have changed.
   */
  use(model: SpeechModel, options?: { signal?: AbortSignal }): Promise<SpeechBackend>
  close(): Promise<void>
}

/** How long a measurement of the free CPUs is used: other load on the machine changes during a long recording. */
const threadsMaxAgeMs = 30_000

export interface SpeechBackendCacheOptions {
  threads: number
  /** Transcription servers, for the models that they run. The cache does not close them. */
  remote?: RemoteSpeech
}

/** Creates a cache that starts backends on first use: a recording without speech never loads a model. */
export function createSpeechBackendCache({
  threads: maxThreads,
  remote,
}: SpeechBackendCacheOptions): SpeechBackendCache {
  let current: { model: SpeechModel; backend: SpeechBackend } | undefined
  let threads = 1
  let threadsExpireAtMs = 0

  async function close(): Promise<void> {
    const closing = current
    current = undefined
    await closing?.backend.close()
  }

  async function use(model: SpeechModel, { signal }: { signal?: AbortSignal } = {}): Promise<SpeechBackend> {
    if (model.remoteName !== undefined) return requireRemote(remote).use(model)
    if (performance.now() >= threadsExpireAtMs || current?.model.id !== model.id) {
      threads = await freeThreads(threadsFor(model, maxThreads))
      threadsExpireAtMs = performance.now() + threadsMaxAgeMs
    }
    if (current && isDeepStrictEqual(current.model, model)) return current.backend
    await close()
    const backend = withWeightsCheck(model, await startBackend({ model, threads: () => threads, signal }))
    current = { model, backend }
    return backend
  }

  return { use, close }
}

/**
 * Wraps the backend of a pinned model so that the model's files are checked before and after each call: a child that was restarted during
 * the call may have loaded other files.
 */
function withWeightsCheck(model: SpeechModel, backend: SpeechBackend): SpeechBackend {
  async function checked<Result>(signal: AbortSignal | undefined, call: () => Promise<Result>): Promise<Result> {
    await assertUnchanged(model, { signal })
    const result = await call()
    await assertUnchanged(model, { signal })
    return result
  }
  return {
    capabilities: backend.capabilities,
    transcribe: (samples, options) => checked(options.signal, () => backend.transcribe(samples, options)),
    detectLanguages: (samples, options) => checked(options?.signal, () => backend.detectLanguages(samples, options)),
    cpuMs: () => backend.cpuMs(),
    close: () => backend.close(),
  }
}

function requireRemote(remote: RemoteSpeech | undefined): RemoteSpeech {
  if (remote) return remote
  throw new AppError('model_unavailable', 'There are no transcription servers.', { help: 'Set SPEECH_SERVERS.' })
}
