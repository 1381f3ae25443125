import { execFileSync } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeCTranslate2Folder } from '#testing/ctranslate2-folder.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createWeights, multilingual, writeHuggingFaceFolder } from '#testing/whisper-folder.ts'
import { findSpeechModel } from '../catalog.ts'
import { importModel } from '../store/import-model.ts'
import { storeConfig } from '../store/testing/models-folder.ts'
import { verifyModel } from '../verify.ts'

const weights = createWeights(multilingual)

test('an imported Hugging Face folder becomes a usable model', async () => {
  const config = await storeConfig()
  const folder = join(await temporaryFolder(), 'whisper-small-ps')
  await writeHuggingFaceFolder(folder, multilingual, { weights })
  const { model, path } = await importModel(folder, { languages: ['ps'] }, config)
  expect(model).toMatchObject({ kind: 'speech', id: 'whisper-small-ps', languages: ['ps'], sherpa: null })
  expect(path).toBe(join(config.modelsDir, 'whisper-small-ps.bin'))
  await verifyModel(await findSpeechModel('whisper-small-ps', config.modelsDir))
})

test('an archive of a CTranslate2 folder is unpacked and converted to 8 bits', async () => {
  const config = await storeConfig()
  const folder = await temporaryFolder()
  await writeCTranslate2Folder(join(folder, 'faster'), multilingual, { weights })
  execFileSync('tar', ['-czf', 'ours.tar.gz', 'faster'], { cwd: folder })
  const { model } = await importModel(join(folder, 'ours.tar.gz'), { quantize: true }, config)
  expect(model.id).toBe('ours')
  // Less than a byte and a half per weight: half-precision floats would take two.
  const count = [...weights.values()].reduce((sum, { values }) => sum + values.length, 0)
  expect(model.sizeBytes).toBeLessThan(count * 1.5)
  await verifyModel(await findSpeechModel('ours', config.modelsDir))
})

test('a failed conversion leaves no files', async () => {
  const config = await storeConfig()
  const folder = join(await temporaryFolder(), 'cut')
  await writeHuggingFaceFolder(folder, multilingual, { weights })
  await rm(join(folder, 'vocab.json'))
  await expect(importModel(folder, {}, config)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: `There is no vocabulary in ${folder}.`,
  })
  expect((await readdir(config.modelsDir)).filter((name) => name !== 'registry.json')).toEqual([])
})
