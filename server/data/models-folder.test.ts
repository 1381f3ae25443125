import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { readConfig } from './config.ts'
import { findModelsFolder, makeModelsFolder } from './models-folder.ts'

test('models belong to the data unless MODELS_DIR names another folder', () => {
  expect(readConfig({ DATA_DIR: '/var/lib/awaz' }).modelsDir).toBe('/var/lib/awaz/models')
  expect(readConfig({ DATA_DIR: '/var/lib/awaz', MODELS_DIR: '/models' }).modelsDir).toBe('/models')
})

test('models that an earlier version put beside the program are still used', async () => {
  const program = await temporaryFolder()
  await mkdir(join(program, 'demo'))
  await writeFile(join(program, 'registry.json'), '{}')
  expect(findModelsFolder(undefined, '/data', program)).toBe('/data/models')
  await writeFile(join(program, 'ggml-base.bin'), 'weights')
  expect(findModelsFolder(undefined, '/data', program)).toBe(program)
})

test('a program without that folder has no models beside it', () => {
  expect(findModelsFolder(undefined, '/data', '/nowhere')).toBe('/data/models')
})

test('the folder is created where it can be', async () => {
  const folder = join(await temporaryFolder(), 'data', 'models')
  await makeModelsFolder(folder)
  expect((await stat(folder)).isDirectory()).toBe(true)
  await expect(makeModelsFolder(join(import.meta.filename, 'models'))).resolves.toBeUndefined()
})
