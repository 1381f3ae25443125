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
  expect(await adoptModel(model, config)).toBe(
    'It is used for all languages from the next job on, because no other model was chosen for that.',
  )
  expect(await readChoices(config.modelsDir)).toMatchObject({ speech: 'ours', speechByLanguage: {} })
})

test('a model of some languages is used for those without a model of their own', async () => {
  const { config, model } = await importSpeech({}, ['ps', 'fa'])
  const others = { speechByLanguage: { fa: 'whisper-small' }, translationByPair: {} }
  await writeChoices(config.modelsDir, others)
  expect(await adoptModel(model, config)).toContain('It is used for Pashto from the next job on')
  expect(await readChoices(config.modelsDir)).toEqual({
    ...others,
    speechByLanguage: { fa: 'whisper-small', ps: 'ours' },
  })
})

test.each<[string, Partial<StoreConfig>, string | undefined]>([
  ['a person chose another', {}, 'whisper-small'],
  ['the environment names one', { speechModel: 'demo-speech' }, undefined],
])('a model is not used by itself where %s', async (_, given, speech) => {
  const { config, model } = await importSpeech(given)
  const choices = { ...(speech && { speech }), speechByLanguage: {}, translationByPair: {} }
  await writeChoices(config.modelsDir, choices)
  expect(await adoptModel(model, config)).toBeUndefined()
  expect(await readChoices(config.modelsDir)).toEqual(choices)
})

test('a model that does not work is not used, and says so', async () => {
  const { config } = await importSpeech({})
  const missing = await findEntry('whisper-base', config.modelsDir)
  expect(await adoptModel(missing, config)).toBe('It is not used yet: The model Whisper base is not installed.')
  expect(await readChoices(config.modelsDir)).not.toHaveProperty('speech')
})
