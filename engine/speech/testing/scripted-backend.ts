import type { SpeechBackend, TranscribedSegment, TranscribedWindow } from '../backend/speech-backend.ts'

/** Stands in for an engine where only its results matter: no language detection, no beams, no prompt. */
export function scriptedBackend(transcribe: (samples: Float32Array) => TranscribedWindow): SpeechBackend {
  return {
    capabilities: {
      engine: 'none',
      hasAudioContext: false,
      hasBeamSearch: false,
      hasWordTimes: true,
      hasPrompt: false,
      hasLanguageDetection: false,
    },
    transcribe: async (samples) => transcribe(samples),
    detectLanguages: () => Promise.reject(new Error('Not asked for')),
    cpuMs: () => 0,
    close: () => Promise.resolve(),
  }
}

/** Returns a one-word segment that the engine is sure of. */
export function scriptedSegment(timed: { text: string; startMs: number; endMs: number }): TranscribedSegment {
  const facts = { meanLogProbability: -0.1, noSpeechProbability: 0, compressionRatio: 1 }
  return { ...timed, words: [{ ...timed, confidence: 0.9 }], ...facts }
}
