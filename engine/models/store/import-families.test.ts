import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  writeToyCanary,
  writeToyCohere,
  writeToyNemoCtc,
  writeToyTransducer,
} from '#engine/speech/sherpa/testing/toy-networks.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { importModel } from './import-model.ts'
import { storeConfig } from './testing/models-folder.ts'

async function folderWith(writeToy: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(await temporaryFolder(), 'ours')
  await mkdir(folder)
  await writeToy(folder)
  return folder
}

test.each<[string, (folder: string) => Promise<void>, string[]]>([
  ['canary', writeToyCanary, ['en']],
  ['cohere-transcribe', writeToyCohere, ['en', 'ar']],
])('a folder with a model of the family %s is known by its encoder', async (family, writeToy, languages) => {
  const config = await storeConfig()
  const { model } = await importModel(await folderWith(writeToy), {}, config)
  expect(model).toMatchObject({ languages, sherpa: { family } })
  expect(await readdir(join(config.modelsDir, model.id))).toHaveLength(3)
})

test.each<[string, (folder: string) => Promise<void>]>([
  ['nemo-ctc', writeToyNemoCtc],
  ['transducer', writeToyTransducer],
])(
  'a model of the family %s is imported with the languages that are named, and not without',
  async (family, writeToy) => {
    const config = await storeConfig()
    const folder = await folderWith(writeToy)
    await expect(importModel(folder, {}, config)).rejects.toMatchObject({
      code: 'model_unavailable',
      message: expect.stringMatching(/ does not say which languages the model knows\.$/u),
      help: 'Name them, such as --languages fa or --languages en,ar.',
    })
    expect(await readdir(config.modelsDir)).toEqual([])
    const { model } = await importModel(folder, { languages: ['fa'] }, config)
    expect(model).toMatchObject({ languages: ['fa'], sherpa: { family } })
  },
)
