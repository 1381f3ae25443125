import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { mountReadOnly, mountSmallDisk } from '#testing/small-disk.ts'
import { importModel } from './import-model.ts'
import { demoSpeechPath, storeConfig } from './testing/models-folder.ts'

test('a disk without enough space for an import is refused before anything is written', async (context) => {
  const config = await storeConfig()
  if (!mountSmallDisk(config.modelsDir, '2m')) return context.skip('only root can mount a small disk')
  await expect(importModel(demoSpeechPath, { id: 'ours' }, config)).rejects.toMatchObject({
    code: 'disk_full',
    message: expect.stringMatching(/free, and 8 MB with a reserve of .* are needed\.$/),
  })
  expect(await readdir(config.modelsDir)).toEqual([])
})

test('importing into a read-only folder is reported', async (context) => {
  const config = await storeConfig()
  if (!mountReadOnly(config.modelsDir)) return context.skip('only root can mount a folder read-only')
  await expect(importModel(demoSpeechPath, { id: 'ours' }, config)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/cannot be written: it is read-only\.$/),
    help: expect.stringContaining('MODELS_DIR'),
  })
  expect(await readdir(config.modelsDir)).toEqual([])
})
