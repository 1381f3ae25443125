import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DecodedAudio } from '#engine/audio/decoded-audio.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { findSpeechModel } from '../models/catalog.ts'
import type { BackendCapabilities, LanguageProbabilities, SpeechBackend } from './backend/speech-backend.ts'
import type { Channel } from './channel-plan.ts'
import { planChannel } from './plan-channel.ts'
import type { SpeechBackendCache } from './speech-backend-cache.ts'
import { scriptedSegment } from './testing/scripted-backend.ts'
import type { WindowResult } from './window-result.ts'

/** Three sentences of 3 s with pauses of 0.4 s, which the detector joined. */
const frames = Float32Array.from({ length: 510 }, (_, frame) => ((frame * 20) % 3400 < 3000 ? 0.1 : 0.001))
const channel: Channel = {
  channel: 0,
  speaker: 'Speaker A',
  voices: null,
  languageChoice: 'multi',
  frames,
  spans: [{ startMs: 0, endMs: 10_200 }],
  otherSpans: [],
  bleed: [],
}

/** A common greeting in each language. */
const greetings: Record<string, string> = { ar: 'السلام عليكم', fa: 'حال شما', ur: 'آپ کیسے ہیں', en: 'How are you' }

/** Plans the channel with a model that detects these languages in turn; also returns how often it was asked. */
async function plan(
  heard: LanguageProbabilities[],
  {
    saved = [],
    texts = {},
    said = greetings,
    of = channel,
  }: {
    saved?: Partial<WindowResult>[]
    /** Log-probabilities, by language. */
    texts?: Record<string, number>
    /** What the model writes in each language. */
    said?: Record<string, string>
    of?: Channel
  } = {},
) {
  const pcmPath = join(await temporaryFolder(), 'samples.pcm')
  await writeFile(pcmPath, new Uint8Array(11 * 32_000))
  let asked = 0
  const transcribed: string[] = []
  const backend = {
    capabilities: { hasLanguageDetection: true } as Partial<BackendCapabilities> as BackendCapabilities,
    detectLanguages: async () => heard[asked++] ?? {},
    async transcribe(_, { language }) {
      transcribed.push(language)
      const segment = {
        ...scriptedSegment({ text: said[language] ?? language, startMs: 0, endMs: 1 }),
        meanLogProbability: texts[language] ?? null,
      }
      return { segments: [segment], isComplete: true }
    },
  } as Partial<SpeechBackend> as SpeechBackend // all that is used here
  const backends = { use: async () => backend } as Partial<SpeechBackendCache> as SpeechBackendCache
  const planned = await planChannel(of, {
    decoded: { pcmPath, channelCount: 1 } as Partial<DecodedAudio> as DecodedAudio, // all that is read here
    backends,
    saved: new Map(saved.map((result) => [result.key ?? '', result as WindowResult])),
    model: await findSpeechModel('whisper-base'),
  })
  return { ...planned, asked, transcribed }
}

test('neighbours of one language share a window, and no window holds sound of two languages', async () => {
  const { windows, language, asked } = await plan([{ en: 0.95 }, { en: 0.9 }, { ar: 0.95 }])
  expect(asked).toBe(3)
  expect(language).toBe('en')
  expect(windows.map(({ index, language: own, window }) => [index, own, window.pieces.length])).toEqual([
    [0, 'en', 2],
    [1, 'ar', 1],
  ])
  expect(windows[0]?.window.pieces.at(-1)?.sourceEndMs).toBe(6600)
  expect(windows[1]?.window.pieces[0]?.sourceStartMs).toBe(6600)
})

test('an attempt that goes on detects only the utterances that no finished window holds', async () => {
  const first = await plan([{ en: 0.95 }, { en: 0.9 }, { ar: 0.95 }])
  const [{ key = '', utterances = [] } = {}] = first.windows
  const second = await plan([{ ar: 0.95 }], { saved: [{ key, channel: 0, utterances }] })
  expect(second.asked).toBe(1)
  expect(second.windows.map((window) => [window.key, window.language])).toEqual(
    first.windows.map((window) => [window.key, window.language]),
  )
})

const certain = { en: 0.99, ar: 0.01 }

test('an utterance whose detection is not certain is in the language of its most probable text', async () => {
  const uncertain = { ar: 0.56, fa: 0.3, en: 0.13, ur: 0.01 }
  const { windows, transcribed } = await plan([certain, uncertain, certain], {
    texts: { ar: -0.77, fa: -0.6, en: -1.2 },
  })
  expect(windows.map(({ language }) => language)).toEqual(['en', 'fa', 'en'])
  expect(transcribed.toSorted()).toEqual(['ar', 'fa'])
})

test('a translation into English, of which the model is always sure, decides nothing', async () => {
  const of: Channel = { ...channel, languageChoice: 'auto', spans: [{ startMs: 0, endMs: 3000 }] }
  const texts = { ar: -1.2, fa: -0.9, en: -0.4 }
  const said = { ...greetings, en: 'Thanks for watching.' }
  expect((await plan([{ fa: 0.6, ar: 0.2, en: 0.2 }], { of, texts, said })).language).toBe('fa')
  expect((await plan([{ fa: 0.4, ar: 0.2, en: 0.4 }], { of, texts, said })).language).toBe('en')
})

test('words of the language decide where the model is about as sure of each text', async () => {
  const uncertain = { ar: 0.6, fa: 0.3, ur: 0.1 }
  const said = { ar: 'هذا را بكنم تا فردا باشد', fa: 'این را بکنم تا فردا باشد', ur: 'ہین را بکونم تا فردا باشد' }
  const { windows } = await plan([certain, uncertain, certain], { texts: { ar: -0.6, fa: -0.62, ur: -0.61 }, said })
  expect(windows.map(({ language }) => language)).toEqual(['en', 'fa', 'en'])
})

test('a text that only repeats itself decides nothing, however sure the model is of it', async () => {
  const uncertain = { ar: 0.6, fa: 0.4 }
  const said = { ar: 'و'.repeat(80), fa: 'این را بکنم تا فردا باشد' }
  const of: Channel = { ...channel, languageChoice: 'auto', spans: [{ startMs: 0, endMs: 3000 }] }
  const ranked = { ...uncertain, en: 0.1 }
  const texts = { ar: -0.2, fa: -0.6, en: -1.2 }
  expect((await plan([ranked], { of, texts, said: { ...greetings, ...said } })).language).toBe('fa')
})

test('where the texts are equally probable the detection decides, and where the engine knows none, its surroundings', async () => {
  const uncertain = { ar: 0.5, en: 0.45, fa: 0.05 }
  const equal = await plan([certain, uncertain, certain], { texts: { ar: -0.7, fa: -0.7, en: -0.7 } })
  expect(equal.windows.map(({ language }) => language)).toEqual(['en'])
  const unknown = await plan([certain, uncertain, certain])
  expect(unknown.windows.map(({ language }) => language)).toEqual(['en'])
})

test('the language of a short recording whose detection is not certain is that of its most probable text', async () => {
  const of: Channel = { ...channel, languageChoice: 'auto', spans: [{ startMs: 0, endMs: 3000 }] }
  const uncertain = { ar: 0.79, fa: 0.1, en: 0.11 }
  const texts = { ar: -0.9, fa: -0.7, en: -1.3 }
  expect((await plan([uncertain], { of, texts })).language).toBe('fa')
  expect(await plan([{ ar: 0.99, fa: 0.01 }], { of, texts })).toMatchObject({ language: 'ar', transcribed: [] })
})
