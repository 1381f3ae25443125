import { expect, test } from 'vitest'
import { findEntry } from '#engine/models/catalog.ts'
import { readChoices, writeChoices } from '#engine/models/choices.ts'
import { importModel } from '#engine/models/store/import-model.ts'
import type { StoreConfig } from '#engine/models/store/store-options.ts'
import { demoSpeechPath, storeConfig } from '#engine/models/store/testing/models-folder.ts'
import { adoptModel } from './adopt-model.ts'

async function importSpeech(given: Partial<StoreConfig>, languages?: string[]) {
  const config = await storeConfig(given)
  const { model } = await importModel(demoSpeechPath, { id: 'ours', languages }, config)
  return { config, model }
}

test('a model of all languages is used for everything where only the demo model was', async () => {
  const { config, model } = await importSpeech({})
  expect(await adoptModel(model, config)).toEqual([
    'It is used for all languages from the next job on, because no other model was chosen for that.',
  ])
  expect(await readChoices(config.modelsDir)).toMatchObject({ speech: 'ours', speechByLanguage: {} })
})

test('a model of all languages is named only for those without a model of their own', async () => {
  const { config, model } = await importSpeech({ speechModelByLanguage: { ur: 'whisper-small' } })
  await writeChoices(config.modelsDir, { speechByLanguage: { fa: 'whisper-small' }, translationByPair: {} })
  expect(await adoptModel(model, config)).toEqual([
    'It is used for Pashto, English, Arabic from the next job on, because no other model was chosen for that.',
  ])
  expect(await readChoices(config.modelsDir)).toMatchObject({
    speech: 'ours',
    speechByLanguage: { fa: 'whisper-small' },
  })
})

test('a model of some languages is used for those without a model of their own', async () => {
  const { config, model } = await importSpeech({}, ['ps', 'fa'])
  const others = { speechByLanguage: { fa: 'whisper-small' }, translationByPair: {} }
  await writeChoices(config.modelsDir, others)
  expect(await adoptModel(model, config)).toEqual([
    'It is used for Pashto from the next job on, because no other model was chosen for that.',
  ])
  expect(await readChoices(config.modelsDir)).toEqual({
    ...others,
    speechByLanguage: { fa: 'whisper-small', ps: 'ours' },
  })
})

test.each<[string, Partial<StoreConfig>, string | undefined]>([
  ['a person chose another', {}, 'whisper-small'],
  ['the environment names one', { speechModel: 'demo-speech' }, undefined],
  ['the environment names one that is gone', { speechModel: 'gone' }, undefined],
  [
    'every language has one',
    { speechModelByLanguage: { ps: 'gone', en: 'gone', ur: 'gone', fa: 'gone', ar: 'gone' } },
    undefined,
  ],
])('a model is not used by itself where %s', async (_, given, speech) => {
  const { config, model } = await importSpeech(given)
  const choices = { ...(speech && { speech }), speechByLanguage: {}, translationByPair: {} }
  await writeChoices(config.modelsDir, choices)
  expect(await adoptModel(model, config)).toEqual([])
  expect(await readChoices(config.modelsDir)).toEqual(choices)
})

test('a model that does not work is not used, and says so', async () => {
  const { config } = await importSpeech({})
  const missing = await findEntry('whisper-base', config.modelsDir)
  expect(await adoptModel(missing, config)).toEqual(['It is not used yet: The model Whisper base is not installed.'])
  expect(await readChoices(config.modelsDir)).not.toHaveProperty('speech')
})

test('an installed model says that it is not used where choices name a model that is gone', async () => {
  const { config, model } = await importSpeech({})
  await writeChoices(config.modelsDir, { speech: 'gone', speechByLanguage: {}, translationByPair: {} })
  expect(await adoptModel(model, config)).toEqual(['It is not used yet: There is no model "gone" in the catalogue.'])
})

test('an installed model says that it is not used where that was cancelled', async () => {
  const { config, model } = await importSpeech({})
  expect(await adoptModel(model, config, { signal: AbortSignal.abort() })).toEqual([
    'It is not used yet: The work was cancelled.',
  ])
})

test('a model is reported for each language: those that it is used for, and those that it is not', async () => {
  const { config, model } = await importSpeech({}, ['ps'])
  expect(await adoptModel({ ...model, languages: ['ps', 'fa', 'ur'] }, config)).toEqual([
    'It is used for Pashto from the next job on, because no other model was chosen for that.',
    'It is not used for Persian, Urdu yet: The model ours does not know Persian. It knows Pashto.',
  ])
  expect(await readChoices(config.modelsDir)).toMatchObject({ speechByLanguage: { ps: 'ours' } })
})
