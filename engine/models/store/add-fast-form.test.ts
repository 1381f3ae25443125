import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createWeights, multilingual, writeHuggingFaceFolder } from '#testing/whisper-folder.ts'
import { findSpeechModel, localCatalogPath, readCatalog } from '../catalog.ts'
import { convertWhisper } from '../convert/convert-whisper.ts'
import { hasExactInt8Here } from '../cpu-features.ts'
import { weightsOf } from '../forms.ts'
import type { SpeechModelEntry } from '../model-entry.ts'
import { quantizeWhisper } from '../quantize-ggml.ts'
import { verifyModel } from '../verify.ts'
import { addFastForm, renewFastForm } from './add-fast-form.ts'
import { importModel } from './import-model.ts'
import { pullModel } from './pull-model.ts'
import { removeModel } from './remove-model.ts'
import type { StoreProgress } from './store-options.ts'
import { storeConfig, writeLocalCatalog } from './testing/models-folder.ts'
import { startModelServer } from './testing/model-server.ts'

const weights = createWeights(multilingual)

async function writeFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), 'ours')
  await writeHuggingFaceFolder(folder, multilingual, { weights })
  return folder
}

async function writeGgmlFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'ours.bin')
  await convertWhisper(await writeFolder(), path)
  return path
}

describe.runIf(await hasExactInt8Here())('a Whisper that is installed', () => {
  test.each<[string, () => Promise<string>, object]>([
    ['from a Hugging Face folder', writeFolder, {}],
    ['from a Hugging Face folder with --quantize', writeFolder, { quantize: true }],
    ['from a ggml file', writeGgmlFile, {}],
  ])('%s has a form for onnxruntime too, of the same weights', async (_, write, options) => {
    const config = await storeConfig()
    const { model, fastForm } = await importModel(await write(), { languages: ['ps'], ...options }, config)
    expect(fastForm).toMatchObject({
      model: {
        id: 'ours-onnx',
        name: 'ours, ONNX',
        languages: ['ps'],
        sherpa: {
          family: 'whisper',
          isInt8: true,
          files: { tokens: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) } },
        },
      },
    })
    const [ggml, onnx] = await Promise.all(['ours', 'ours-onnx'].map((id) => findSpeechModel(id, config.modelsDir)))
    if (!ggml || !onnx) throw new Error('Both are in the catalogue')
    expect(weightsOf(onnx)).toBe(weightsOf(ggml))
    expect(weightsOf(ggml)).toBe(model.sha256)
    await verifyModel(onnx)
  })

  test('by a download has one, and gets it later where it was downloaded before', async () => {
    const path = await writeGgmlFile()
    const content = await readFile(path)
    const { url } = await startModelServer((_, response) => void response.end(content))
    const config = await storeConfig()
    await writeLocalCatalog(config.modelsDir, { url, languages: ['fa'] })
    const options = { env: {}, retryMs: 1, idleMs: 20_000 }
    const { isNew, fastForm } = await pullModel('ours', config, options)
    expect({ isNew, fastForm }).toMatchObject({
      isNew: true,
      fastForm: { model: { id: 'ours-onnx', weights: 'ours' } },
    })
    expect(await pullModel('ours', config, options)).not.toHaveProperty('fastForm')
  })

  test('hears as much of a window in both forms', async () => {
    const config = await storeConfig()
    const path = await writeGgmlFile()
    const { model } = await importModel(path, {}, config)
    if (model.kind !== 'speech') throw new Error('It is a speech model')
    await removeModel('ours-onnx', config)
    const trained = {
      decoding: { audioContextFactor: 1, entropyThreshold: 3 },
      languageDecoding: { ps: { audioContextFactor: 2 }, fa: { audioContextFactor: 3, temperatureStep: 0.2 } },
      minAudioContext: 384,
      maxWindowMs: 15_000,
    } satisfies Partial<SpeechModelEntry>
    expect(await addFastForm({ ...model, ...trained }, path, { modelsDir: config.modelsDir })).toMatchObject({
      model: {
        ...trained,
        decoding: { audioContextFactor: 1 },
        languageDecoding: { ps: { audioContextFactor: 2 }, fa: { audioContextFactor: 3, beamSize: 5 } },
      },
    })
    expect(await findSpeechModel('ours-onnx', config.modelsDir)).toMatchObject({
      languageDecoding: { fa: { audioContextFactor: 3, beamSize: 5 } },
    })
  })

  test('with quantized weights only stays in its one form, and says why', async () => {
    const path = await writeGgmlFile()
    await quantizeWhisper(path, `${path}.q8`)
    const { fastForm } = await importModel(`${path}.q8`, {}, await storeConfig())
    expect(fastForm).toMatchObject({ problem: expect.stringContaining('are quantized') })
  })

  test('does not replace a folder of that name, and says so again with each download', async () => {
    const config = await storeConfig()
    await mkdir(join(config.modelsDir, 'ours-onnx'))
    const { model, fastForm } = await importModel(await writeGgmlFile(), {}, config)
    const problem = `${join(config.modelsDir, 'ours-onnx')} is there already, and belongs to no model: move it away.`
    expect(fastForm).toEqual({ problem })
    expect(await readdir(join(config.modelsDir, 'ours-onnx'))).toEqual([])
    await writeLocalCatalog(config.modelsDir, { ...model, url: 'http://127.0.0.1/ours.bin' })
    expect(await pullModel('ours', config)).toMatchObject({ isNew: false, fastForm: { problem } })
  })

  test.each<[string, (progress: StoreProgress) => boolean]>([
    ['while the form is written', ({ stage }) => stage === 'convert'],
    ['when its weights are written', ({ stage, done, total }) => stage === 'convert' && done === total],
  ])('stays installed without one when cancelled %s', async (_, isMoment) => {
    const config = await storeConfig()
    const cancel = new AbortController()
    const { model, fastForm } = await importModel(await writeGgmlFile(), {}, config, {
      signal: cancel.signal,
      onProgress: (progress) => isMoment(progress) && cancel.abort(),
    })
    expect(fastForm).toEqual({ problem: 'The work was cancelled.' })
    expect((await readdir(config.modelsDir)).toSorted()).toEqual(['catalog.local.json', 'ours.bin'])
    await writeLocalCatalog(config.modelsDir, { ...model, url: 'http://127.0.0.1/ours.bin' })
    expect(await pullModel('ours', config)).toMatchObject({ fastForm: { model: { id: 'ours-onnx' } } })
  })

  test('has no files of a form whose entry could not be saved', async () => {
    const config = await storeConfig()
    const { model, path } = await importModel(await writeGgmlFile(), {}, config)
    if (model.kind !== 'speech') throw new Error('It is a speech model')
    await removeModel('ours-onnx', config)
    await writeFile(localCatalogPath(config.modelsDir), '{')
    const fastForm = await addFastForm(model, path, { modelsDir: config.modelsDir })
    expect(fastForm).toMatchObject({ problem: expect.stringContaining('catalog.local.json cannot be read') })
    expect(await readdir(config.modelsDir)).not.toContain('ours-onnx')
  })

  /** Installs a model whose second form was written by an earlier version, which put no version in the metadata. */
  async function installOutdated() {
    const config = await storeConfig()
    const { model, path } = await importModel(await writeGgmlFile(), {}, config)
    if (model.kind !== 'speech') throw new Error('It is a speech model')
    const encoder = join(config.modelsDir, 'ours-onnx', 'encoder.int8.onnx')
    const content = await readFile(encoder)
    content.write('awaz_graph_former ', content.indexOf('awaz_graph_version'))
    await writeFile(encoder, content)
    return { config, model, path, encoder }
  }

  test('whose form an earlier version wrote gets a new one, and the same once', async () => {
    const { config, model, path, encoder } = await installOutdated()
    const options = { modelsDir: config.modelsDir }
    expect(await renewFastForm(model, path, options)).toBe(true)
    expect((await readFile(encoder)).includes('awaz_graph_version')).toBe(true)
    await verifyModel(await findSpeechModel('ours-onnx', config.modelsDir))
    expect(await renewFastForm(model, path, options)).toBe(false)
    expect((await readdir(config.modelsDir)).toSorted()).toEqual(['catalog.local.json', 'ours-onnx', 'ours.bin'])
  })

  test('keeps a form of an earlier version where a new one cannot be written', async () => {
    const { config, model, path, encoder } = await installOutdated()
    const before = await readFile(encoder)
    const signal = AbortSignal.abort()
    await expect(renewFastForm(model, path, { modelsDir: config.modelsDir, signal })).rejects.toMatchObject({
      code: 'job_cancelled',
    })
    expect(await readFile(encoder)).toEqual(before)
  })

  test('gets a new form also after a process was killed between the entry and the files', async () => {
    const { config, model, path } = await installOutdated()
    await mkdir(join(config.modelsDir, 'ours-onnx.renewed'))
    await mkdir(join(config.modelsDir, 'ours-onnx.former'))
    expect(await renewFastForm(model, path, { modelsDir: config.modelsDir })).toBe(true)
    await verifyModel(await findSpeechModel('ours-onnx', config.modelsDir))
    expect((await readdir(config.modelsDir)).toSorted()).toEqual(['catalog.local.json', 'ours-onnx', 'ours.bin'])
  })

  test('gets a form whose entry was saved when the process ended before its files were there', async () => {
    const config = await storeConfig()
    const { model, path } = await importModel(await writeGgmlFile(), {}, config)
    if (model.kind !== 'speech') throw new Error('It is a speech model')
    await rm(join(config.modelsDir, 'ours-onnx'), { recursive: true })
    expect(await addFastForm(model, path, { modelsDir: config.modelsDir })).toMatchObject({
      model: { id: 'ours-onnx', weights: model.weights },
    })
    await verifyModel(await findSpeechModel('ours-onnx', config.modelsDir))
  })
})

test('other weights that are imported by the id of a known model are not taken for its forms', async () => {
  const config = await storeConfig()
  const { model } = await importModel(await writeGgmlFile(), { id: 'whisper-base' }, config)
  const catalogued = (await readCatalog()).find(({ id }) => id === 'whisper-base-onnx')
  if (model.kind !== 'speech' || catalogued?.kind !== 'speech') throw new Error('Both are speech models')
  expect(weightsOf(catalogued)).toBe('whisper-base')
  expect(weightsOf(model)).not.toBe('whisper-base')
})
