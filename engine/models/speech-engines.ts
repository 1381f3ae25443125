import type { SpeechModelEntry } from './model-entry.ts'

/** The engines that run speech models on this machine, with their versions. */
export const speechEngines = {
  whisperCpp: 'whisper.cpp 1.9.3',
  onnxRuntime: 'onnxruntime 1.28.2',
  sherpaOnnx: 'sherpa-onnx 1.13.8',
} as const

/** Returns the engine that runs a model on this machine; not for models that a server runs. */
export function speechEngineOf({ sherpa }: Pick<SpeechModelEntry, 'sherpa'>): string {
  if (!sherpa) return speechEngines.whisperCpp
  return sherpa.family === 'whisper' ? speechEngines.onnxRuntime : speechEngines.sherpaOnnx
}
