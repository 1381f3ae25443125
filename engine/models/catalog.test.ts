import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  bundledModelsDir,
  findSpeechModel,
  findTranslationModel,
  loadCatalog,
  modelPath,
  readCatalog,
} from './catalog.ts'

let modelsDir: string

beforeEach(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), 'awaz-models-'))
})

afterEach(() => rm(modelsDir, { recursive: true }))

const localEntry = {
  kind: 'speech',
  id: 'our-pashto',
  name: 'Our Pashto',
  file: 'our-pashto.bin',
  url: null,
  sizeBytes: null,
  sha256: null,
  sha1: null,
  licence: 'Apache-2.0',
  languages: ['ps'],
}

function writeLocal(content: unknown): Promise<void> {
  return writeFile(join(modelsDir, 'catalog.local.json'), JSON.stringify(content))
}

test('the bundled catalogue is valid, its ids are unique and an unknown hash is null', async () => {
  const models = await readCatalog()
  expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
  expect(models.find(({ id }) => id === 'whisper-tiny')).toMatchObject({ sha256: null, sizeBytes: null })
  expect(models.find(({ id }) => id === 'gemma-4-e4b')).toMatchObject({ sha256: null, sha1: null, errors: [] })
})

test('finds the demo models in this installation, wherever the models folder is', async () => {
  expect((await findSpeechModel('demo-speech', modelsDir)).path).toBe(
    join(bundledModelsDir, 'demo/demo-speech-q8_0.bin'),
  )
  expect((await findTranslationModel('demo-translator', modelsDir)).isDemo).toBe(true)
})

test('an operator’s entry adds a model in the models folder, and one of the same id replaces the bundled entry', async () => {
  await writeLocal({ models: [localEntry, { ...localEntry, id: 'whisper-tiny', name: 'Patched' }] })
  expect((await findSpeechModel('our-pashto', modelsDir)).path).toBe(join(modelsDir, 'our-pashto.bin'))
  expect((await findSpeechModel('whisper-tiny', modelsDir)).name).toBe('Patched')
})

test('the path of a model of several files is its folder', async () => {
  const sherpa = { family: 'dolphin', files: { model: { name: 'model.onnx' }, tokens: { name: 'tokens.txt' } } }
  await writeLocal({ models: [{ ...localEntry, file: 'dolphin', sherpa }] })
  expect(await findSpeechModel('our-pashto', modelsDir)).toMatchObject({ path: join(modelsDir, 'dolphin'), sherpa })
})

test.each([
  ['file', { ...localEntry, file: '../secret' }],
  ['file', { ...localEntry, file: '/etc/x' }],
  ['languages', { ...localEntry, languages: 'ps' }],
  ['sherpa.family', { ...localEntry, sherpa: { family: 'wav2vec', files: {} } }],
])('an entry with a wrong %s is left out alone, with its file, name and key reported', async (key, entry) => {
  await writeLocal({ models: [{ ...localEntry, id: 'whole' }, entry] })
  const { models, problems } = await loadCatalog(modelsDir)
  expect(models.map(({ id }) => id)).toEqual(expect.arrayContaining(['demo-speech', 'whole']))
  const sentence = `The entry "our-pashto" of ${join(modelsDir, 'catalog.local.json')} is not valid: ${key}: `
  expect(problems).toMatchObject([{ id: 'our-pashto', isFatal: true, message: expect.stringContaining(sentence) }])
  await expect(findSpeechModel('our-pashto', modelsDir)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringContaining(sentence),
  })
})

test.each([
  ['{ "models": [', 'JSON'],
  ['{ "models": 3 }', 'it has no list "models"'],
])('a local catalogue of %s leaves the bundled one working', async (content, reason) => {
  await writeFile(join(modelsDir, 'catalog.local.json'), content)
  const { models, problems } = await loadCatalog(modelsDir)
  expect(models.map(({ id }) => id)).toContain('whisper-base')
  expect(problems).toMatchObject([{ id: undefined, message: expect.stringContaining(reason) }])
  await expect(findSpeechModel('our-pashto', modelsDir)).rejects.toThrow('catalog.local.json is left out')
})

test('unknown keys are reported, and the entry works without them', async () => {
  await writeLocal({ models: [{ ...localEntry, quality: 'good', decoding: { beamSize: 5, beams: 3 } }] })
  const { models, problems } = await loadCatalog(modelsDir)
  expect(models.find(({ id }) => id === 'our-pashto')).toMatchObject({ decoding: { beamSize: 5 } })
  expect(problems).toMatchObject([
    { id: 'our-pashto', isFatal: false, message: expect.stringContaining('"quality", "decoding.beams"') },
  ])
})

test('the bundled catalogue has no problems', async () => {
  expect((await loadCatalog()).problems).toEqual([])
})

test.each([
  ['no-such-model', 'There is no model "no-such-model" in the catalogue.'],
  ['demo-translator', 'Awaz demo translator is a translation model, not a speech model.'],
  ['whisper-large-pashto', 'The model Whisper large pashto must be converted before it can be used.'],
])('refuses %s as a speech model', async (id, message) => {
  await expect(findSpeechModel(id)).rejects.toMatchObject({ code: 'model_unavailable', message })
})

test('an entry without a file has no path', async () => {
  const entry = (await readCatalog()).find(({ id }) => id === 'whisper-large-pashto')
  expect(entry && modelPath(entry)).toBeUndefined()
})
