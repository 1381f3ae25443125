import { expect, test } from 'vitest'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'
import { recognizeWindow } from './recognize-window.ts'
import { decodingFor } from './decode-settings.ts'
import { findSpeechModel } from '../models/catalog.ts'

/** Two passages of two seconds, of which the second starts at 5 s of the window. */
const window: SpeechWindow = {
  durationMs: 8000,
  pieces: [
    { sourceStartMs: 0, sourceEndMs: 2600, speechStartMs: 300, speechEndMs: 2300, windowStartMs: 0, beginsTurn: true },
    {
      sourceStartMs: 60_000,
      sourceEndMs: 62_600,
      speechStartMs: 60_300,
      speechEndMs: 62_300,
      windowStartMs: 4700,
      beginsTurn: true,
    },
  ],
}

/** Stands for an engine that reads only the first second of what it is given; records the lengths in milliseconds. */
function createImpatientEngine() {
  const lengthsMs: number[] = []
  const backend: SpeechBackend = {
    capabilities: {
      engine: 'none',
      hasAudioContext: false,
      hasBeamSearch: false,
      hasWordTimes: true,
      hasPrompt: false,
      hasLanguageDetection: false,
    },
    transcribe: async (samples) => {
      lengthsMs.push(samples.length / 16)
      const time = { startMs: 300, endMs: 2300 }
      const word = { ...time, text: `word${lengthsMs.length}`, confidence: 0.9 }
      const facts = { meanLogProbability: -0.1, noSpeechProbability: 0, compressionRatio: 1 }
      return { isComplete: false, segments: [{ ...time, text: word.text, words: [word], ...facts }] }
    },
    detectLanguages: () => Promise.reject(new Error('Not asked for')),
    cpuMs: () => 0,
    close: () => Promise.resolve(),
  }
  return { backend, lengthsMs }
}

test('what the engine left is recognized from 300 ms before its speech, with times of the window', async () => {
  const { backend, lengthsMs } = createImpatientEngine()
  const samples = new Float32Array(8000 * 16)
  const decoding = decodingFor(await findSpeechModel('demo-speech'), 'en')
  const { segments } = await recognizeWindow(backend, { samples, window }, { language: 'en', decoding })
  expect(lengthsMs).toEqual([8000, 8000 - 4700])
  expect(segments.map(({ text, startMs, endMs }) => [text, startMs, endMs])).toEqual([
    ['word1', 300, 2300],
    ['word2', 5000, 7000],
  ])
})
