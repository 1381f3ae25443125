import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { bundledModelsDir } from '../../catalog.ts'
import type { StoreConfig } from '../store-options.ts'

/** Real models, one of each kind, small enough to be copied for every test. */
export const demoSpeechPath = join(bundledModelsDir, 'demo', 'demo-speech-q8_0.bin')
export const demoTranslatorPath = join(bundledModelsDir, 'demo', 'demo-translator-f16.gguf')

/** Returns the settings of an installation with its own models folder. */
export async function storeConfig(given: Partial<StoreConfig> = {}): Promise<StoreConfig> {
  const modelsDir = join(await temporaryFolder(), 'models')
  await mkdir(modelsDir)
  return {
    modelsDir,
    modelsMirror: undefined,
    isOffline: false,
    speechModel: undefined,
    speechModelByLanguage: {},
    translationModel: undefined,
    ...given,
  }
}

/** Writes the operator's catalog; fields that an entry omits are unknown. */
export async function writeLocalCatalog(modelsDir: string, ...entries: object[]): Promise<void> {
  const unknown = { url: null, sizeBytes: null, sha256: null, sha1: null, licence: 'MIT', languages: ['fa', 'en'] }
  const models = entries.map((entry) => ({
    kind: 'speech',
    name: 'Ours',
    id: 'ours',
    file: 'ours.bin',
    ...unknown,
    ...entry,
  }))
  await writeFile(join(modelsDir, 'catalog.local.json'), JSON.stringify({ models }))
}

export async function readJson(...path: string[]): Promise<unknown> {
  return JSON.parse(await readFile(join(...path), 'utf8'))
}
