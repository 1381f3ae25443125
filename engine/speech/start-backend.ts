import { isSherpaModel } from '#engine/models/model-entry.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import { startOnnxWhisper } from './onnx-whisper/start-onnx-whisper.ts'
import { startSherpa } from './sherpa/start-sherpa.ts'
import { startWhisper } from './whisper-cpp/start-whisper.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'

interface BackendOptions {
  model: SpeechModel
  /** Returns the number of CPU threads; see availableThreads. Two engines must not both use all CPUs. */
  threads: () => number
  /** Aborts the verification of the model's files. */
  signal?: AbortSignal
}

/** Starts the engine for a model that no server runs: whisper.cpp, onnxruntime for Whisper in ONNX format, or sherpa-onnx. */
export async function startBackend({ model, ...options }: BackendOptions): Promise<SpeechBackend> {
  if (!isSherpaModel(model)) return startWhisper({ model, ...options })
  return model.sherpa.family === 'whisper'
    ? startOnnxWhisper({ model, ...options })
    : startSherpa({ model, ...options })
}
