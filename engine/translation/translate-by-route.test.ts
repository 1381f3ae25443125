import { expect, test } from 'vitest'
import { AppError } from '#contract/app-error.ts'
import { remoteTranslationModels } from '#engine/models/remote-models.ts'
import { createTranslationRouter } from './translation-router.ts'
import type { TranslationModels, TranslationRouter } from './translation-router.ts'
import { openTestPool, remoteSettings, startServer } from './remote/testing/remote-lines.ts'
import { translateIntoTarget } from './remote/testing/fake-server.ts'
import type { RequestHandler, FakeServer } from './remote/testing/fake-server.ts'
import { callOf } from './testing/sentences.ts'
import { translateSpeakers } from './translate.ts'
import { translateText } from './translate-text.ts'

/** A general model for Persian and English, and one for Pashto to English. */
const settings = { model: 'general', languages: ['fa', 'en'], modelByPair: { 'ps-en': 'pashto' } }

function modelsOf(changes: Partial<typeof settings> = {}): TranslationModels {
  const { translation, translationByPair } = remoteTranslationModels(
    remoteSettings(['http://127.0.0.1'], { ...settings, ...changes }),
  )
  return { requireTranslation: (pair = '') => translationByPair[pair] ?? translation, translationByPair }
}

/** Opens a router on a fake server, with a list of the ids of the models that it loads. */
async function openTranslators(models: TranslationModels, behave: RequestHandler = translateIntoTarget) {
  const server: FakeServer = await startServer(behave)
  const remote = openTestPool([server.address], { settings })
  const loaded: string[] = []
  const translators: TranslationRouter = createTranslationRouter(models, async (model) => {
    loaded.push(model.id)
    return remote.use(model)
  })
  return { translators, server, loaded }
}

type Line = [text: string, language: string]
const persian = (number: number): Line => [`او ${number} جعبه به بازار آورد`, 'fa']
const pashto = (number: number): Line => [`هغه ${number} صندوقونه بازار ته راوړل`, 'ps']
const english = (number: number): Line => [`He brought ${number} boxes to the market.`, 'en']

test('each line is translated by the model of its pair, and each model is loaded once', async () => {
  const { translators, server, loaded } = await openTranslators(modelsOf())
  const transcription = callOf('fa', persian(1), pashto(2), persian(3), english(4), pashto(5))
  const counts: number[] = []
  const result = await translateSpeakers({
    transcription,
    targetLanguage: 'en',
    translator: translators,
    onProgress: ({ current_segment }) => counts.push(current_segment),
  })
  expect(result.segments.map(({ translated_text }) => translated_text)).toEqual(
    [1, 2, 3, 4, 5].map((number) => `He brought ${number} boxes to the market.`),
  )
  expect(loaded).toEqual(['remote-general', 'remote-pashto'])
  expect(server.seen.map(({ body }) => body.model)).toEqual(['general', 'general', 'pashto', 'pashto'])
  expect(counts).toEqual([1, 2, 3, 4, 5])
  expect(result).toMatchObject({ model: 'remote-general', via: null })
  expect(result.provenance?.map(({ model_id }) => model_id)).toEqual(['remote-general', 'remote-pashto'])
  expect(result.segments.every(({ via }) => via === undefined)).toBe(true)
})

test('a pair without a direct model is translated with English as pivot, which the result states', async () => {
  const { translators, server, loaded } = await openTranslators(modelsOf())
  const transcription = callOf('fa', pashto(1), english(2), pashto(3))
  const result = await translateSpeakers({ transcription, targetLanguage: 'fa', translator: translators })
  expect(result.segments.map(({ translated_text, via }) => [translated_text, via])).toEqual([
    ['او 1 جعبه را به بازار آورد.', 'en'],
    ['او 2 جعبه را به بازار آورد.', undefined],
    ['او 3 جعبه را به بازار آورد.', 'en'],
  ])
  expect(result).toMatchObject({ via: 'en', model: 'remote-general' })
  expect(result.provenance).toHaveLength(2)
  expect(loaded).toEqual(['remote-pashto', 'remote-general', 'remote-general'])
  expect(server.seen.map(({ body }) => body.model)).toEqual(['pashto', 'pashto', 'general', 'general', 'general'])
})

test('a text is translated with English as pivot too', async () => {
  const { translators } = await openTranslators(modelsOf())
  const result = await translateText({
    text: pashto(7)[0],
    sourceLanguage: 'ps',
    targetLanguage: 'fa',
    translator: translators,
  })
  expect(result).toMatchObject({ translated_text: 'او 7 جعبه را به بازار آورد.', via: 'en', source_language: 'ps' })
})

test('a model that fails all of its lines does not affect those of other models', async () => {
  const { translators } = await openTranslators(modelsOf(), (request, response) => {
    if (request.body.model === 'general') return translateIntoTarget(request, response)
    response.writeHead(400).end('{"error":{"message":"no such model"}}')
  })
  const transcription = callOf('fa', persian(1), pashto(2))
  const { segments } = await translateSpeakers({ transcription, targetLanguage: 'en', translator: translators })
  expect(segments).toMatchObject([{ error: null }, { error: expect.stringContaining('no such model') }])
})

test('a pair without a route is refused with the languages of the main model', async () => {
  const { translators } = await openTranslators(modelsOf())
  const work = translateText({ text: 'Guten Tag', sourceLanguage: 'de', targetLanguage: 'en', translator: translators })
  await expect(work).rejects.toMatchObject({
    code: 'unsupported_pair',
    message: 'The model general cannot translate from German to English.',
  })
})

test('a broken model of a pair is not replaced by another, and other pairs still work', async () => {
  const models = modelsOf({ languages: ['fa', 'ps', 'en'] })
  const broken: TranslationModels = {
    translationByPair: {},
    requireTranslation(pair) {
      if (pair === 'ps-en') throw new AppError('model_unavailable', 'The model pashto is damaged.')
      return models.requireTranslation()
    },
  }
  const { translators } = await openTranslators(broken)
  expect(() => translators.route({ source: 'ps', target: 'en' })).toThrow('The model pashto is damaged.')
  expect(translators.route({ source: 'fa', target: 'en' })).toMatchObject({ via: null })
  expect(translators.route({ source: 'en', target: 'ps' })).toMatchObject({ via: null })
})

test('pairs with their own model still work where the main one is broken', async () => {
  const models = modelsOf()
  const broken: TranslationModels = {
    ...models,
    requireTranslation: (pair = '') => {
      const own = models.translationByPair[pair]
      if (own) return own
      throw new AppError('model_unavailable', 'The model general is damaged.')
    },
  }
  const { translators } = await openTranslators(broken)
  expect(translators.route({ source: 'ps', target: 'en' }).legs).toMatchObject([{ model: { id: 'remote-pashto' } }])
  expect(() => translators.route({ source: 'fa', target: 'en' })).toThrow('The model general is damaged.')
})
