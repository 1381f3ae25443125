import type { SpeechModel } from '#engine/models/model-entry.ts'
import type { BackendCapabilities, Decoding } from './backend/speech-backend.ts'

/** Greedy, without a second try: the cheapest, and for most languages as good as a search. Thresholds are those of OpenAI's Whisper. */
const defaults: Decoding = {
  beamSize: 1,
  temperature: 0,
  temperatureStep: 0,
  bestOf: 5,
  entropyThreshold: 2.4,
  logProbabilityThreshold: -1,
  noSpeechThreshold: 0.6,
  audioContextFactor: 1,
}

/** How `model` decodes a language: the defaults, what the catalogue says of the model and what it says of the language. */
export function decodingFor(model: SpeechModel, language: string): Decoding {
  return { ...defaults, ...model.decoding, ...model.languageDecoding[language] }
}

/** All of Whisper's context for any sound, some of it, and the least. */
const contextFactors = [30, 3, 1]

type DecodingCapabilities = Pick<BackendCapabilities, 'hasBeamSearch' | 'hasAudioContext' | 'hasTemperature'>

/**
 * How to decode once more what came out as a loop: a search where there was none, else at higher temperatures; for an engine that can
 * neither, with other lengths of silence behind the sound.
 */
export function decodingAgain(
  decoding: Decoding,
  { hasBeamSearch, hasAudioContext, hasTemperature = hasBeamSearch }: DecodingCapabilities,
): Decoding[] {
  const samples = { ...decoding, beamSize: 1, temperature: 0.4, temperatureStep: 0.2 }
  if (!hasBeamSearch && hasTemperature) return [samples]
  if (!hasBeamSearch) {
    if (!hasAudioContext) return []
    const others = contextFactors.filter((factor) => factor !== decoding.audioContextFactor)
    return others.slice(0, 2).map((audioContextFactor) => ({ ...decoding, audioContextFactor }))
  }
  const search = { ...decoding, beamSize: 5, temperatureStep: 0 }
  return decoding.beamSize > 1 ? [samples] : [search, samples]
}
