import { AppError } from '#contract/app-error.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { freeThreads, threadsFor } from '#engine/threads.ts'
import { startBackend } from './backend/start-backend.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'
import type { RemoteSpeech } from './remote/remote-speech.ts'

export interface SpeechEngine {
  /** The engine with this model; the one of another model is closed first, so that memory holds one. */
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
  let current: { id: string; backend: SpeechBackend } | undefined
  let threads = 1
  let threadsAreOldAt = 0

  async function close(): Promise<void> {
    const closing = current
    current = undefined
    await closing?.backend.close()
  }

  async function use(model: SpeechModel, { signal }: { signal?: AbortSignal } = {}): Promise<SpeechBackend> {
    if (model.remoteName !== undefined) return requireRemote(remote).use(model)
    if (performance.now() >= threadsAreOldAt || current?.id !== model.id) {
      threads = await freeThreads(threadsFor(model, mostThreads))
      threadsAreOldAt = performance.now() + threadsHoldMs
    }
    if (current?.id === model.id) return current.backend
    await close()
    const backend = await startBackend({ model, threads: () => threads, signal })
    current = { id: model.id, backend }
    return backend
  }

  return { use, close }
}

function requireRemote(remote: RemoteSpeech | undefined): RemoteSpeech {
  if (remote) return remote
  throw new AppError('model_unavailable', 'There are no transcription servers.', { help: 'Set SPEECH_SERVERS.' })
}
