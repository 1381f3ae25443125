import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readChoices } from '#engine/models/choices.ts'
import { readMeasurements, saveMeasurement } from '#engine/models/measurements.ts'
import { importModel } from '#engine/models/store/import-model.ts'
import {
  demoSpeechPath,
  demoTranslatorPath,
  storeConfig,
  writeLocalCatalog,
} from '#engine/models/store/testing/models-folder.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { useTriedModel } from './use-tried-model.ts'

test('a model that cannot be loaded is never in use, though its file is whole', async () => {
  const config = await storeConfig()
  const path = join(await temporaryFolder(), 'broken.gguf')
  const content = await readFile(demoTranslatorPath)
  // The value of general.architecture: the key is followed by a 4-byte type, an 8-byte length and the letters.
  content.write('x', content.indexOf('general.architecture') + 'general.architecture'.length + 12)
  await writeFile(path, content)
  await importModel(path, { id: 'broken' }, config)
  await expect(useTriedModel('broken', {}, config)).rejects.toMatchObject({ code: 'model_unavailable' })
  expect((await readChoices(config.modelsDir)).translation).toBeUndefined()
})

test('a model that works is tried once and used', async () => {
  const config = await storeConfig()
  await importModel(demoTranslatorPath, { id: 'ours' }, config)
  await useTriedModel('ours', { pair: 'ps-en' }, config)
  const tried = (await readMeasurements(config.modelsDir)).ours
  await useTriedModel('ours', {}, config)
  expect((await readMeasurements(config.modelsDir)).ours).toEqual(tried)
  expect(await readChoices(config.modelsDir)).toMatchObject({
    translation: 'ours',
    translationByPair: { 'ps-en': 'ours' },
  })
})

test.each([
  ['another version of the engine', { engine: 'llama.cpp b1 (node-llama-cpp 0.0.1)' }],
  ['another device', { device: 'GPU (vulkan)' }],
])('a model that worked with %s is tried again', async (_what, other) => {
  const config = await storeConfig()
  await importModel(demoTranslatorPath, { id: 'ours' }, config)
  await useTriedModel('ours', {}, config)
  const tried = (await readMeasurements(config.modelsDir)).ours
  if (!tried) throw new Error('The model was not tried')
  await saveMeasurement(config.modelsDir, 'ours', { ...tried, ...other })
  await useTriedModel('ours', {}, config)
  expect((await readMeasurements(config.modelsDir)).ours).toMatchObject({
    engine: tried.engine,
    device: tried.device,
  })
})

test('a form that was added since the model was tried is tried with it', async () => {
  const config = await storeConfig()
  const ours = { maxWindowMs: 15_000, oneSpanPerWindow: true, minAudioContext: 384, weights: 'ours' }
  for (const id of ['ours', 'ours-too']) await copyFile(demoSpeechPath, join(config.modelsDir, `${id}.bin`))
  await writeLocalCatalog(config.modelsDir, ours)
  await useTriedModel('ours', {}, config)
  expect(Object.keys(await readMeasurements(config.modelsDir))).toEqual(['ours'])
  await writeLocalCatalog(config.modelsDir, ours, { ...ours, id: 'ours-too', file: 'ours-too.bin' })
  await useTriedModel('ours', {}, config)
  const measured = await readMeasurements(config.modelsDir)
  expect(Object.keys(measured).toSorted()).toEqual(['ours', 'ours-too'])
  await useTriedModel('ours', {}, config)
  expect(await readMeasurements(config.modelsDir)).toEqual(measured)
})
