import { isSherpaModel } from '#engine/models/model-entry.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { startSherpa } from '../sherpa/start-sherpa.ts'
import { startWhisper } from '../whisper-cpp/start-whisper.ts'
import type { SpeechBackend } from './speech-backend.ts'

interface BackendOptions {
  model: SpeechModel
  /** Returns the number of CPU threads; see availableThreads. Two engines must not both use all of them. */
  threads: () => number
  /** Aborts the verification of the model's files. */
  signal?: AbortSignal
}

/** Starts the engine for a model that no server runs: sherpa-onnx or whisper.cpp. */
export async function startBackend({ model, ...options }: BackendOptions): Promise<SpeechBackend> {
  return isSherpaModel(model) ? startSherpa({ model, ...options }) : startWhisper({ model, ...options })
}
