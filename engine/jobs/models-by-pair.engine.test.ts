import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '#data/config.ts'
import { createTranslationRouter } from '#engine/translation/translation-router.ts'
import type { Translator } from '#engine/translation/llama.ts'
import { angry, bomb, callOf } from '#engine/translation/testing/sentences.ts'
import { translateSpeakers } from '#engine/translation/translate.ts'
import { checkModels } from './check-models.ts'
import { toEngineModels } from './engine-models.ts'
import type { EngineModels } from './engine-models.ts'
import { keepModelsLoaded } from './loaded-models.ts'
import { makeModelFolder } from './testing/model-folder.ts'
import type { ModelFolder } from './testing/model-folder.ts'

let folder: ModelFolder
let models: EngineModels

beforeAll(async () => {
  folder = await makeModelFolder()
  for (const [id, language] of [
    ['pashto', 'ps'],
    ['urdu', 'ur'],
  ] as const) {
    await folder.add(id, 'translation', { languages: [language, 'en'] })
    await folder.copyDemo('translation', id)
  }
  const env = { MODELS_DIR: folder.dir, TRANSLATION_MODEL: 'urdu', TRANSLATION_MODEL_BY_PAIR: 'ps-en=pashto' }
  models = toEngineModels(await checkModels(readConfig(env)))
})

afterAll(() => folder.remove())

/** Translates lines of a call, keeping at most one model in memory at a time. Also returns the models that were started. */
async function translate(lines: [text: string, language: string][], targetLanguage: string) {
  const loaded = keepModelsLoaded({ threads: 1, idleMs: 60_000 })
  onTestFinished(() => loaded.close())
  const started: Translator[] = []
  const translators = createTranslationRouter(models, async (model) => {
    const translator = await loaded.translator(model, {})
    started.push(translator)
    return translator
  })
  const result = await translateSpeakers({
    transcription: callOf('ps', ...lines),
    targetLanguage,
    translator: translators,
    onProgress: () => expect(started.filter((each) => each.pid() !== undefined).length).toBeLessThanOrEqual(1),
  })
  return { result, started: started.map(({ model }) => model.id) }
}

test('offers the languages of all models, including pairs with English as the pivot', () => {
  expect(models.features).toMatchObject({
    translation: { id: 'urdu' },
    translation_sources: ['ur', 'en', 'ps'],
    translation_targets: ['ur', 'en', 'ps'],
  })
})

test('translates a call of two languages with one model after the other, each loaded once', async () => {
  const { result, started } = await translate(
    [
      [angry.ps, 'ps'],
      [bomb.ur, 'ur'],
      [bomb.ps, 'ps'],
    ],
    'en',
  )
  expect(result.segments.map(({ translated_text }) => translated_text)).toEqual([angry.en, bomb.en, bomb.en])
  expect(started).toEqual(['pashto', 'urdu'])
  expect(result.provenance?.map(({ model_id, model_hash }) => [model_id, model_hash])).toEqual([
    ['pashto', expect.stringMatching(/^[0-9a-f]{64}$/)],
    ['urdu', expect.stringMatching(/^[0-9a-f]{64}$/)],
  ])
})

test('translates Pashto to Urdu with English as the pivot', async () => {
  const { result, started } = await translate([[angry.ps, 'ps']], 'ur')
  expect(result).toMatchObject({ via: 'en', segments: [{ translated_text: angry.ur, via: 'en', error: null }] })
  expect(started).toEqual(['pashto', 'urdu'])
})
