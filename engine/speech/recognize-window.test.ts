import { expect, test } from 'vitest'
import type { SpeechWindow } from '#engine/audio/windows.ts'
import type { SpeechBackend } from './backend/speech-backend.ts'
import { recognizeWindow } from './recognize-window.ts'
import { decodingFor } from './decode-settings.ts'
import { findSpeechModel } from '../models/catalog.ts'
import { scriptedBackend, scriptedSegment } from './testing/scripted-backend.ts'

/** Two passages of two seconds; the second starts at 5 s of the window. */
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

/** Stands in for an engine that transcribes only the first utterance of its input; records the input lengths in milliseconds. */
function createImpatientEngine() {
  const lengthsMs: number[] = []
  const backend = scriptedBackend((samples) => {
    lengthsMs.push(samples.length / 16)
    const text = `word${lengthsMs.length}`
    return { isComplete: false, segments: [scriptedSegment({ text, startMs: 300, endMs: 2300 })] }
  })
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

test('a single attempt is made with the prompt only, and its loops are left out', async () => {
  const prompts: (string | undefined)[] = []
  const loop = 'Kabul '.repeat(40).trim()
  const scripted = scriptedBackend(() => ({
    isComplete: true,
    segments: [{ ...scriptedSegment({ text: loop, startMs: 300, endMs: 7000 }), compressionRatio: 9 }],
  }))
  const backend: SpeechBackend = {
    ...scripted,
    capabilities: { ...scripted.capabilities, hasPrompt: true },
    transcribe: (samples, options) => {
      prompts.push(options.prompt)
      return scripted.transcribe(samples, options)
    },
  }
  const audio = { samples: new Float32Array(8000 * 16), window }
  const decoding = decodingFor(await findSpeechModel('demo-speech'), 'en')
  const options = { language: 'en', decoding, prompt: 'Kabul' }
  expect((await recognizeWindow(backend, audio, { ...options, isSingleAttempt: true })).segments).toEqual([])
  expect(prompts).toEqual(['Kabul'])
  await recognizeWindow(backend, audio, options)
  expect(prompts.slice(1, 3)).toEqual(['Kabul', ''])
})
