import { expect, onTestFinished, test } from 'vitest'
import { SpeechModelEntry } from '#engine/models/model-entry.ts'
import { sherpaFamilies } from '#engine/models/sherpa-families.ts'
import type { SherpaEngineFamily } from '#engine/models/sherpa-families.ts'
import { noise } from '#testing/audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import type { SpeechBackend, TranscribedSegment } from '../backend/speech-backend.ts'
import { decodingFor } from '../decode-settings.ts'
import { startSherpa } from './start-sherpa.ts'
import { writeToyCanary, writeToyCohere, writeToyNemoCtc, writeToyTransducer } from './testing/toy-networks.ts'

interface StartedToy {
  backend: SpeechBackend
  transcribe: (samples: Float32Array, language?: string) => Promise<TranscribedSegment[]>
}

async function start(family: SherpaEngineFamily, writeToy: (folder: string) => Promise<void>): Promise<StartedToy> {
  const path = await temporaryFolder()
  await writeToy(path)
  const nameOf = (role: string) => (role === 'tokens' ? 'tokens.txt' : `${role}.onnx`)
  const files = Object.fromEntries(sherpaFamilies[family].roles.map((role) => [role, { name: nameOf(role) }]))
  const unknown = { url: null, sizeBytes: null, sha256: null, sha1: null, licence: 'MIT' }
  const entry = SpeechModelEntry.parse({
    ...unknown,
    kind: 'speech',
    id: 'toy',
    name: 'Toy',
    file: 'toy',
    languages: ['en', 'ar'],
    sherpa: { family, files },
  })
  if (!entry.sherpa) throw new Error('The entry is for another engine')
  const model = { ...entry, sherpa: entry.sherpa, path }
  const backend = await startSherpa({ model, threads: () => 1 })
  onTestFinished(() => backend.close())
  const transcribe = async (samples: Float32Array, language = 'en') => {
    const { segments } = await backend.transcribe(samples, { language, decoding: decodingFor(model, language) })
    return segments
  }
  return { backend, transcribe }
}

/** Returns two seconds of silence with 30 ms of noise at each of the times. */
function burstsAt(...startsMs: number[]): Float32Array {
  const samples = new Float32Array(32_000)
  for (const [seed, ms] of startsMs.entries()) samples.set(noise(30, { db: -6, seed }), ms * 16)
  return samples
}

test.each<[SherpaEngineFamily, (folder: string) => Promise<void>]>([
  ['nemo-ctc', writeToyNemoCtc],
  ['transducer', writeToyTransducer],
])('a model of the family %s writes words with their times', async (family, writeToy) => {
  const { backend, transcribe } = await start(family, writeToy)
  expect(backend.capabilities).toMatchObject({ hasWordTimes: true, hasPrompt: false, hasLanguageDetection: false })
  const words = (await transcribe(burstsAt(500, 1500))).flatMap((segment) => segment.words)
  expect(new Set(words.map(({ text }) => text))).toEqual(new Set(['c']))
  for (const ms of [500, 1500]) expect(words.some(({ startMs }) => Math.abs(startMs - ms) <= 60)).toBe(true)
  expect(words.every(({ startMs }) => Math.min(Math.abs(startMs - 500), Math.abs(startMs - 1500)) <= 100)).toBe(true)
  expect(await transcribe(new Float32Array(32_000))).toEqual([])
})

test.each<[SherpaEngineFamily, (folder: string) => Promise<void>, Record<string, string>]>([
  ['canary', writeToyCanary, { en: 'english', fr: 'français' }],
  ['cohere-transcribe', writeToyCohere, { en: 'english', ar: 'عربي' }],
])('a model of the family %s is told the language with each call', async (family, writeToy, texts) => {
  const { backend, transcribe } = await start(family, writeToy)
  expect(backend.capabilities).toMatchObject({ hasWordTimes: false, hasPrompt: false, hasLanguageDetection: false })
  for (const round of [1, 2]) {
    for (const [language, text] of Object.entries(texts)) {
      const segments = await transcribe(burstsAt(500), language)
      expect([round, ...segments.map((segment) => segment.text)]).toEqual([round, text])
    }
  }
})
