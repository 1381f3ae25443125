import { isDeepStrictEqual } from 'node:util'
import { AppError } from '#contract/app-error.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { assertUnchanged } from '#engine/models/pin-model.ts'
import { freeThreads, threadsFor } from '#engine/threads.ts'
import { startBackend } from './backend/start-backend.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'
import type { RemoteSpeech } from './remote/remote-speech.ts'

export interface SpeechEngine {
  /**
   * The engine with this model; the one of another model, or of the same with other weights or settings, is closed first, so that memory
   * holds one. What it makes of a pinned model rejects with ModelChanged once the model's files are other ones.
   */
  use(model: SpeechModel, options?: { signal?: AbortSignal }): Promise<SpeechBackend>
  close(): Promise<void>
}

/** How long the number of free CPUs is taken for granted: other work on the machine comes and goes during an hour's recording. */
const threadsHoldMs = 30_000

export interface SpeechEngineOptions {
  threads: number
  /** Transcription servers, for models that they run. They outlive this. */
  remote?: RemoteSpeech
}

/** Starts an engine when it is first needed: a recording without speech never loads a model. */
export function createSpeechEngine({ threads: mostThreads, remote }: SpeechEngineOptions): SpeechEngine {
  let current: { model: SpeechModel; backend: SpeechBackend } | undefined
  let threads = 1
  let threadsAreOldAt = 0

  async function close(): Promise<void> {
    const closing = current
    current = undefined
    await closing?.backend.close()
  }

  async function use(model: SpeechModel, { signal }: { signal?: AbortSignal } = {}): Promise<SpeechBackend> {
    if (model.remoteName !== undefined) return requireRemote(remote).use(model)
    if (performance.now() >= threadsAreOldAt || current?.model.id !== model.id) {
      threads = await freeThreads(threadsFor(model, mostThreads))
      threadsAreOldAt = performance.now() + threadsHoldMs
    }
    if (current && isDeepStrictEqual(current.model, model)) return current.backend
    await close()
    const backend = withSameWeights(model, await startBackend({ model, threads: () => threads, signal }))
    current = { model, backend }
    return backend
  }

  return { use, close }
}

/**
 * The backend of a pinned model, which looks at the model's files before and after each call: a child that died meanwhile has loaded what
 * was there then.
 */
function withSameWeights(model: SpeechModel, backend: SpeechBackend): SpeechBackend {
  async function same<Result>(signal: AbortSignal | undefined, call: () => Promise<Result>): Promise<Result> {
    await assertUnchanged(model, { signal })
    const result = await call()
    await assertUnchanged(model, { signal })
    return result
  }
  return {
    capabilities: backend.capabilities,
    transcribe: (samples, options) => same(options.signal, () => backend.transcribe(samples, options)),
    detectLanguages: (samples, options) => same(options?.signal, () => backend.detectLanguages(samples, options)),
    cpuMs: () => backend.cpuMs(),
    close: () => backend.close(),
  }
}

function requireRemote(remote: RemoteSpeech | undefined): RemoteSpeech {
  if (remote) return remote
  throw new AppError('model_unavailable', 'There are no transcription servers.', { help: 'Set SPEECH_SERVERS.' })
}
