import { wholeContext } from './audio-context.ts'
import { isSherpaModel } from '#engine/models/model-entry.ts'
import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { BackendCapabilities, Decoding } from './backend/speech-backend.ts'

/**
 * Greedy without fallback. Thresholds are those of OpenAI's Whisper. The audio context is the full 30 s with which Whisper was trained:
 * with less it writes sentences that no one said (docs/decisions/whisper-decoder.md).
 */
const defaults: Decoding = {
  beamSize: 1,
  temperature: 0,
  temperatureStep: 0,
  bestOf: 5,
  entropyThreshold: 2.4,
  logProbabilityThreshold: -1,
  noSpeechThreshold: 0.6,
  audioContextFactor: wholeContext,
}

/**
 * On onnxruntime, five beams get up to three words in a hundred more right than greedy search, and half a word more than three beams, for a
 * tenth of the CPU time. In whisper.cpp they take a sixth more time and gain next to nothing.
 */
const beamsOnOnnxruntime = 5

/** Returns the decoding parameters for a language: the engine's defaults, overridden by the catalog for the model and for the language. */
export function decodingFor(model: SpeechModel, language: string): Decoding {
  const ofEngine = isSherpaModel(model) ? { beamSize: beamsOnOnnxruntime } : {}
  return { ...defaults, ...ofEngine, ...model.decoding, ...model.languageDecoding[language] }
}

type DecodingCapabilities = Pick<BackendCapabilities, 'hasBeamSearch' | 'hasTemperature'>

/**
 * Returns the fallbacks for a window that was decoded as a repetition loop: beam search if it was greedy, then higher temperatures, as far
 * as the engine supports them.
 */
export function fallbackDecodings(
  decoding: Decoding,
  { hasBeamSearch, hasTemperature = hasBeamSearch }: DecodingCapabilities,
): Decoding[] {
  const sampling = { ...decoding, beamSize: 1, temperature: 0.4, temperatureStep: 0.2 }
  if (!hasBeamSearch) return hasTemperature ? [sampling] : []
  const beamSearch = { ...decoding, beamSize: 5, temperatureStep: 0 }
  return decoding.beamSize > 1 ? [sampling] : [beamSearch, sampling]
}
