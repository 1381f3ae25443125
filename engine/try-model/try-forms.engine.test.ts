import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createWeights, multilingual, writeHuggingFaceFolder } from '#testing/whisper-folder.ts'
import { hasExactInt8Here } from '#engine/models/cpu-features.ts'
import { readMeasurements } from '#engine/models/measurements.ts'
import { importModel } from '#engine/models/store/import-model.ts'
import { demoSpeechPath, storeConfig, writeLocalCatalog } from '#engine/models/store/testing/models-folder.ts'
import type { StoreConfig } from '#engine/models/store/store-options.ts'
import { describeForms, tryForms } from './try-forms.ts'

/** Installs a model, and another form of its weights. */
async function installForms(): Promise<StoreConfig> {
  const config = await storeConfig()
  const demo = { maxWindowMs: 15_000, oneSpanPerWindow: true, minAudioContext: 384, weights: 'ours' }
  for (const id of ['ours', 'ours-too']) await copyFile(demoSpeechPath, join(config.modelsDir, `${id}.bin`))
  await writeLocalCatalog(config.modelsDir, demo, { ...demo, id: 'ours-too', file: 'ours-too.bin' })
  return config
}

test('every form of the weights is measured, and one of them is named as the one that is used', async () => {
  const config = await installForms()
  const lines = describeForms(await tryForms('ours', config))
  expect(lines).toContainEqual(
    expect.stringMatching(/^other form +ours-too: \d\.\d{3} CPU s a second of sound, \d+ MB, \d+ words$/u),
  )
  expect(lines.at(-1)).toMatch(/^used here +ours(?:-too: \d\.\d{3} instead of|: no other form is cheaper)/u)
  const measured = await readMeasurements(config.modelsDir)
  expect(Object.keys(measured).toSorted()).toEqual(['ours', 'ours-too'])
  expect(measured.ours?.words).toBeGreaterThan(0)
  expect(measured.ours?.words).toBe(measured['ours-too']?.words)
})

test('a form that cannot be used is named with its problem, and the model works', async () => {
  const config = await installForms()
  const wrong = { weights: 'ours', sizeBytes: 7_580_802, sha256: '0'.repeat(64) }
  await writeLocalCatalog(config.modelsDir, { weights: 'ours' }, { ...wrong, id: 'ours-too', file: 'ours-too.bin' })
  const lines = describeForms(await tryForms('ours', config))
  expect(lines).toContainEqual(expect.stringMatching(/^other form +ours-too: The file .* is not the one/u))
  expect(Object.keys(await readMeasurements(config.modelsDir))).toEqual(['ours'])
})

test.runIf(await hasExactInt8Here())(
  'a form that an earlier version wrote is written again before it is measured',
  async () => {
    const config = await storeConfig()
    const source = join(await temporaryFolder(), 'ours')
    await writeHuggingFaceFolder(source, multilingual, { weights: createWeights(multilingual) })
    await importModel(source, { languages: ['en'] }, config)
    const encoder = join(config.modelsDir, 'ours-onnx', 'encoder.int8.onnx')
    const former = await readFile(encoder)
    former.write('awaz_graph_former ', former.indexOf('awaz_graph_version'))
    await writeFile(encoder, former)
    const lines = describeForms(await tryForms('ours-onnx', config))
    expect(lines).toContain('written again      the form for onnxruntime of ours: this version writes a faster one')
    expect((await readFile(encoder)).includes('awaz_graph_version')).toBe(true)
    expect(Object.keys(await readMeasurements(config.modelsDir))).toContain('ours-onnx')
  },
)
