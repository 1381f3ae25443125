import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { chooseModelIds, chooseModels } from './active-models.ts'
import { readChoices, writeChoices } from './choices.ts'

const choices = {
  speech: 'whisper-small',
  speechByLanguage: { ps: 'whisper-tiny', fa: 'whisper-base' },
  translation: 'gemma-4-e4b',
  translationByPair: { 'ps-en': 'gemma-4-12b' },
}

async function configOf(given: Partial<Parameters<typeof chooseModelIds>[0]> = {}) {
  const modelsDir = await temporaryFolder()
  return { modelsDir, speechModel: undefined, speechModelByLanguage: {}, translationModel: undefined, ...given }
}

test('without a choice the demo models are used', async () => {
  const config = await configOf()
  expect(await readChoices(config.modelsDir)).toEqual({ speechByLanguage: {}, translationByPair: {} })
  expect(await chooseModelIds(config)).toEqual({
    speech: 'demo-speech',
    speechByLanguage: {},
    translation: 'demo-translator',
    translationByPair: {},
  })
})

test('choices are used, and read back as they were written', async () => {
  const config = await configOf()
  await writeChoices(config.modelsDir, choices)
  expect(await readChoices(config.modelsDir)).toEqual(choices)
  expect(await readdir(config.modelsDir)).toEqual(['choices.json'])
  const models = await chooseModels(config)
  expect(models.speech.id).toBe('whisper-small')
  expect(models.speechByLanguage.fa?.id).toBe('whisper-base')
  expect(models.translationByPair['ps-en']?.id).toBe('gemma-4-12b')
})

test('the environment has precedence, each variable for its own language', async () => {
  const config = await configOf({
    speechModel: 'whisper-medium',
    speechModelByLanguage: { fa: 'whisper-large-v3' },
    translationModel: 'gemma-4-e2b',
  })
  await writeChoices(config.modelsDir, choices)
  expect(await chooseModelIds(config)).toEqual({
    speech: 'whisper-medium',
    speechByLanguage: { ps: 'whisper-tiny', fa: 'whisper-large-v3' },
    translation: 'gemma-4-e2b',
    translationByPair: { 'ps-en': 'gemma-4-12b' },
  })
})

test.each(['{"speech": 3}', '{', '[]'])('choices that cannot be read name the file: %s', async (content) => {
  const { modelsDir } = await configOf()
  await writeFile(join(modelsDir, 'choices.json'), content)
  await expect(readChoices(modelsDir)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: `The choices of models in ${join(modelsDir, 'choices.json')} cannot be read.`,
    help: expect.stringContaining('models use'),
  })
})

test('a model chosen for a language that it does not support is reported before any job', async () => {
  const fromEnvironment = await configOf({ speechModelByLanguage: { fa: 'dolphin-base-ctc', en: 'dolphin-base-ctc' } })
  await expect(chooseModels(fromEnvironment)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: 'The model Dolphin base CTC does not know English. It knows Pashto, Urdu, Persian, Arabic.',
  })
  const chosen = await configOf()
  await writeChoices(chosen.modelsDir, { ...choices, translationByPair: { 'ps-en': 'translategemma-4b' } })
  await expect(chooseModels(chosen)).rejects.toThrow('TranslateGemma 4B does not know Pashto')
})
