import { spawnSync } from 'node:child_process'
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { bundledModelsDir } from '../catalog.ts'
import { pullModel } from './pull-model.ts'
import { startModelServer } from './testing/model-server.ts'
import { storeConfig, writeLocalCatalog } from './testing/models-folder.ts'

test('an archive of a model for sherpa-onnx is unpacked and imported', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'inner'))
  await copyFile(join(bundledModelsDir, 'vad', 'silero_vad_v5.onnx'), join(folder, 'inner', 'model.onnx'))
  await writeFile(join(folder, 'inner', 'tokens.txt'), '<blk> 0\na 1\n')
  spawnSync('tar', ['-czf', join(folder, 'a.tar.gz'), '-C', folder, 'inner'])
  const archive = await readFile(join(folder, 'a.tar.gz'))
  const { port } = await startModelServer((_, response) => response.end(archive))
  const files = { model: { name: 'model.onnx' }, tokens: { name: 'tokens.txt' } }
  const url = `http://127.0.0.1:${port}/a.tar.gz`
  const config = await storeConfig()
  await writeLocalCatalog(config.modelsDir, { url, file: 'ours', sherpa: { family: 'dolphin', files } })
  expect(await pullModel('ours', config, { env: {} })).toMatchObject({
    isNew: true,
    model: { id: 'ours', name: 'Ours' },
  })
  expect((await readdir(join(config.modelsDir, 'ours'))).toSorted()).toEqual(['model.onnx', 'tokens.txt'])
  expect(await readdir(config.modelsDir)).toEqual(expect.not.arrayContaining([expect.stringContaining('partial')]))
  expect(await pullModel('ours', config, { env: {} })).toMatchObject({ isNew: false })
})
