import { afterAll, beforeAll, expect, test } from 'vitest'
import { spokenLanguages } from '#contract/spoken-language.ts'
import { findTranslationModel } from '../models/catalog.ts'
import { availableThreads } from '../threads.ts'
import { startTranslator } from './llama.ts'
import type { Translator } from './llama.ts'
import { angry, bomb, callOf } from './testing/sentences.ts'
import { translateSegments, translateSpeakers } from './translate.ts'
import type { SavedTranslation } from './translation-memory.ts'

let translator: Translator

beforeAll(async () => {
  translator = await start()
})
afterAll(() => translator.close())

async function start(): Promise<Translator> {
  return startTranslator({ model: await findTranslationModel('demo-translator'), threads: availableThreads(1) })
}

test('translates a line from its own language and the others from that of their speaker', async () => {
  const result = await translateSpeakers({
    transcription: callOf('ps', [angry.ps], [bomb.ur, 'ur'], [angry.ar, 'ar'], [bomb.ps]),
    targetLanguage: 'en',
    translator,
  })
  expect(result.segments.map(({ translated_text }) => translated_text)).toEqual([angry.en, bomb.en, angry.en, bomb.en])
  expect(result.source_language).toBe('ps')
  const segments = [
    { start: 0, end: 1, text: angry.ur, language: 'ur' },
    { start: 2, end: 3, text: bomb.ps, language: 'ps' },
  ]
  const done = await translateSegments({ segments, targetLanguage: 'en', translator })
  expect(done.map(({ translated_text }) => translated_text)).toEqual([angry.en, bomb.en])
})

test('a line in the target language is copied unchanged, without a call', async () => {
  const fresh = await start()
  try {
    const words = 'Any words at all'
    const onlyTarget = callOf('ps', [words, 'en'], ['More of them', 'en'])
    const unchanged = await translateSpeakers({ transcription: onlyTarget, targetLanguage: 'en', translator: fresh })
    expect(unchanged).toMatchObject({ source_language: 'en', translated_text: `${words}\nMore of them` })
    expect(fresh.pid()).toBeUndefined()
    const mixed = callOf('ps', [words, 'en'], [angry.ps])
    const { segments } = await translateSpeakers({ transcription: mixed, targetLanguage: 'en', translator: fresh })
    expect(segments.map(({ translated_text }) => translated_text)).toEqual([words, angry.en])
  } finally {
    await fresh.close()
  }
})

test('the same words in two languages are two translations, each made once', async () => {
  const saved: SavedTranslation[] = []
  const checkpoint = { load: async () => saved, save: async (entry: SavedTranslation) => void saved.push(entry) }
  const transcription = callOf('ps', [angry.ps], [angry.ps, 'ur'], [angry.ps], [angry.ps, 'ur'])
  await translateSpeakers({ transcription, targetLanguage: 'en', translator, checkpoint })
  expect(new Set(saved.map(({ key }) => key)).size).toBe(2)
  expect(saved).toHaveLength(2)
})

test('a line in an unsupported language has an error, and the rest of its speaker is translated', async () => {
  const result = await translateSpeakers({
    transcription: callOf('ps', [angry.ps], ['नमस्ते दुनिया', 'hi']),
    targetLanguage: 'en',
    translator,
  })
  expect(result.segments.map(({ error }) => error)).toEqual([null, expect.stringContaining('from Hindi to English')])
  expect(result.speaker_translations).toMatchObject([{ error: null, translated_text: `${angry.en} […]` }])
  const unknown = callOf('ps', ['नमस्ते दुनिया', 'hi'])
  await expect(translateSpeakers({ transcription: unknown, targetLanguage: 'en', translator })).rejects.toMatchObject({
    code: 'unsupported_pair',
  })
})

test('a requested source language has precedence over those of the lines', async () => {
  const transcription = callOf('ps', [angry.ur, 'ps'])
  const result = await translateSpeakers({ transcription, sourceLanguage: 'ur', targetLanguage: 'en', translator })
  expect(result).toMatchObject({ source_language: 'ur', translated_text: angry.en })
})

test('the languages of a transcription are the main one and then those of its lines', () => {
  expect(spokenLanguages(callOf('ps', [angry.ps], [bomb.ur, 'ur'], [bomb.en, 'en'], [angry.ur, 'ur']))).toEqual([
    'ps',
    'ur',
    'en',
  ])
})
