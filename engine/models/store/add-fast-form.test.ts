import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createWeights, multilingual, writeHuggingFaceFolder } from '#testing/whisper-folder.ts'
import { findSpeechModel, readCatalog } from '../catalog.ts'
import { convertWhisper } from '../convert/convert-whisper.ts'
import { hasExactInt8Here } from '../cpu-features.ts'
import { weightsOf } from '../forms.ts'
import { quantizeWhisper } from '../quantize-ggml.ts'
import { verifyModel } from '../verify.ts'
import { importModel } from './import-model.ts'
import { pullModel } from './pull-model.ts'
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

  test('with quantized weights only stays in its one form, and says why', async () => {
    const path = await writeGgmlFile()
    await quantizeWhisper(path, `${path}.q8`)
    const { fastForm } = await importModel(`${path}.q8`, {}, await storeConfig())
    expect(fastForm).toMatchObject({ problem: expect.stringContaining('are quantized') })
  })

  test('does not replace a folder of that name', async () => {
    const config = await storeConfig()
    await mkdir(join(config.modelsDir, 'ours-onnx'))
    const { fastForm } = await importModel(await writeGgmlFile(), {}, config)
    expect(fastForm).toEqual({ problem: `${join(config.modelsDir, 'ours-onnx')} is there already.` })
    expect(await readdir(join(config.modelsDir, 'ours-onnx'))).toEqual([])
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
