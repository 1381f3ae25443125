import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readChoices } from '../choices.ts'
import { readMeasurements, saveMeasurement } from '../measurements.ts'
import {
  demoSpeechPath,
  demoTranslatorPath,
  readJson,
  storeConfig,
  writeLocalCatalog,
} from './testing/models-folder.ts'
import { removeModel } from './remove-model.ts'
import type { StoreConfig } from './store-options.ts'
import { clearChoice, useModel } from './use-model.ts'

const translator = { kind: 'translation', id: 'translator', name: 'Translator', file: 'translator.gguf' }

/** Creates an installation with its own speech and translation models, for Persian and English. */
async function installation(given: Partial<StoreConfig> = {}): Promise<StoreConfig> {
  const config = await storeConfig(given)
  await writeLocalCatalog(config.modelsDir, {}, translator)
  await copyFile(demoSpeechPath, join(config.modelsDir, 'ours.bin'))
  await copyFile(demoTranslatorPath, join(config.modelsDir, 'translator.gguf'))
  return config
}

test('a model is chosen for a language, for a pair, and for everything', async () => {
  const config = await installation()
  await useModel('ours', { language: 'fa' }, config)
  await useModel('translator', { pair: 'fa-en' }, config)
  await useModel('ours', {}, config)
  await useModel('translator', {}, config)
  expect(await readChoices(config.modelsDir)).toEqual({
    speech: 'ours',
    speechByLanguage: { fa: 'ours' },
    translation: 'translator',
    translationByPair: { 'fa-en': 'translator' },
  })
})

test.each([
  [{ language: 'ps' }, {}, 'The model Ours does not know Pashto. It knows Persian, English.'],
  [{ pair: 'fa-en' }, {}, 'Ours is a speech model, not a translation model.'],
  [{ language: 'fa', pair: 'fa-en' }, {}, 'for a language or for a pair, not for both'],
  [{ language: 'fa' }, { speechModelByLanguage: { fa: 'whisper-base' } }, 'SPEECH_MODEL_FA names whisper-base'],
  [{}, { speechModel: 'whisper-base' }, 'SPEECH_MODEL names whisper-base in the environment, which wins'],
])('a choice without effect is refused: %j with %j', async (scope, given, sentence) => {
  const config = await installation(given)
  await expect(useModel('ours', scope, config)).rejects.toThrow(sentence)
  expect(await readdir(config.modelsDir)).not.toContain('choices.json')
})

test('a model whose file is broken or missing is not chosen', async () => {
  const config = await installation()
  await writeFile(join(config.modelsDir, 'ours.bin'), 'text')
  await expect(useModel('ours', {}, config)).rejects.toThrow('it is a text file')
  await expect(useModel('whisper-base', {}, config)).rejects.toThrow('Whisper base is not installed')
})

test('a model in use is not removed, and its uses are reported', async () => {
  const config = await installation()
  await useModel('ours', { language: 'fa' }, config)
  await useModel('translator', { pair: 'fa-en' }, config)
  await expect(removeModel('ours', config)).rejects.toMatchObject({
    code: 'conflict',
    message: 'The model Ours cannot be removed: it serves Persian.',
    help: expect.stringContaining('models use ID'),
  })
  await expect(removeModel('translator', config)).rejects.toThrow('it serves Persian to English.')
  await expect(removeModel('ours', { ...config, speechModel: 'ours' })).rejects.toThrow('all languages without a model')
  await expect(removeModel('demo-speech', config)).rejects.toThrow('comes with Awaz')
  expect(await readdir(config.modelsDir)).toEqual(expect.arrayContaining(['ours.bin', 'translator.gguf']))
})

test('a cleared choice allows its model to be removed', async () => {
  const config = await installation()
  await useModel('ours', { language: 'fa' }, config)
  await useModel('translator', { pair: 'fa-en' }, config)
  await clearChoice({ language: 'fa' }, config)
  await clearChoice({ pair: 'fa-en' }, config)
  expect(await readChoices(config.modelsDir)).toEqual({ speechByLanguage: {}, translationByPair: {} })
  await removeModel('ours', config)
})

test('removing a model deletes its file and its entry, and nothing else', async () => {
  const config = await installation()
  expect(await removeModel('ours', config)).toMatchObject({ isFileKept: false })
  expect((await readdir(config.modelsDir)).toSorted()).toEqual(['catalog.local.json', 'translator.gguf'])
  expect(await readJson(config.modelsDir, 'catalog.local.json')).toMatchObject({ models: [{ id: 'translator' }] })
})

test('removing a model deletes what it cost: other weights may get its id', async () => {
  const config = await installation()
  const measurement = {
    engine: 'whisper.cpp 1.9.3',
    processor: 'Xeon',
    measuredAt: '2026-11-22T05:00:00.000Z',
    loadS: 1,
    device: 'CPU, one thread',
    tokensPerS: null,
    realTimeFactor: 1,
    cpuSPerS: 1,
    peakMemoryBytes: 3e8,
    words: 20,
  }
  for (const id of ['ours', 'translator']) await saveMeasurement(config.modelsDir, id, measurement)
  await removeModel('ours', config)
  expect(Object.keys(await readMeasurements(config.modelsDir))).toEqual(['translator'])
})

test('a file of two entries is kept until both are removed', async () => {
  const config = await installation()
  await writeLocalCatalog(config.modelsDir, {}, { id: 'same', name: 'Same' })
  expect(await removeModel('same', config)).toMatchObject({ isFileKept: true })
  expect(await readdir(config.modelsDir)).toContain('ours.bin')
})

test('an operator’s catalogue that cannot be read is not overwritten', async () => {
  const config = await installation()
  await copyFile(demoSpeechPath, join(config.modelsDir, 'ggml-base.bin'))
  await writeFile(join(config.modelsDir, 'catalog.local.json'), '{ "models": [')
  await expect(removeModel('whisper-base', config)).rejects.toThrow('would be lost if it was written')
})
