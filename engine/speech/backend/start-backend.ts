import type { SpeechModel } from '#engine/models/model-entry.ts'
import { startSherpa } from '../sherpa/start-sherpa.ts'
import { startWhisper } from '../whisper-cpp/start-whisper.ts'
import type { SpeechBackend } from './speech-backend.ts'

interface BackendOptions {
  model: SpeechModel
  /** CPU threads; see availableThreads. Two engines must not both have all of them. */
  threads: () => number
  /** Stops the check of the model's files. */
  signal?: AbortSignal
}

/** Starts the engine that runs this model: sherpa-onnx where its entry in the catalogue says so, else whisper.cpp. */
export async function startBackend({ model, ...options }: BackendOptions): Promise<SpeechBackend> {
  const { sherpa } = model
  return sherpa ? startSherpa({ model: { ...model, sherpa }, ...options }) : startWhisper({ model, ...options })
}
