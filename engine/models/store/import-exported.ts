import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { modelPath, readCatalog } from '../catalog.ts'
import { hashFile } from '../content-hash.ts'
import { ModelEntry } from '../model-entry.ts'
import { copyFolder } from './copy-folder.ts'
import { checksumsName, exportedEntryName } from './exported-entry.ts'
import type { ImportOptions } from './import-options.ts'
import { saveLocalEntry } from './local-catalog.ts'
import type { StoreOptions } from './store-options.ts'

/** Brings in what exportModel wrote, with its entry as it was. Every file is held against SHA256SUMS. */
export async function importExported(
  folder: string,
  options: ImportOptions,
  modelsDir: string,
  store: StoreOptions,
): Promise<{ model: ModelEntry; path: string }> {
  const exported = await readEntry(folder)
  const id = options.id ?? exported.id
  const isFolder = exported.kind === 'speech' && exported.sherpa !== null
  const name = exported.file ?? ''
  // A file lies in a folder of its own, so that no two models can claim one name.
  const file = isFolder ? id : `${id}/${name}`
  // The files of demo models are looked for in this installation, where nothing is written.
  const entry = { ...exported, id, name: options.name ?? exported.name, file, isDemo: false }
  await assertFree(entry, modelsDir)
  const sums = await readChecksums(folder)
  const names = [...sums.keys()].filter((file) => file !== exportedEntryName)
  const target = join(modelsDir, id)
  await copyFolder(folder, target, names, { ...store, check: (partial) => assertSums(partial, sums, store.signal) })
  await saveLocalEntry(modelsDir, entry)
  return { model: entry, path: isFolder ? target : join(target, name) }
}

async function readEntry(folder: string): Promise<ModelEntry> {
  const path = join(folder, exportedEntryName)
  try {
    return ModelEntry.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (error) {
    throw new AppError('model_unavailable', `${path} is not the entry of an exported model.`, {
      help: 'Export the model again: npm run awaz -- models export ID FOLDER.',
      cause: error,
    })
  }
}

async function assertFree(entry: ModelEntry, modelsDir: string): Promise<void> {
  const known = (await readCatalog(modelsDir)).find(({ id }) => id === entry.id)
  const paths = [modelPath(entry, modelsDir), known && modelPath(known, modelsDir), join(modelsDir, entry.id)]
  for (const path of paths) {
    if (path === undefined || !(await stat(path).catch(() => undefined))) continue
    throw new AppError('conflict', `There is a model "${entry.id}" already: ${path}.`, {
      help: `Choose another id with --id, or remove that one first: npm run awaz -- models remove ${entry.id}.`,
    })
  }
}

/** SHA-256 by file name. */
async function readChecksums(folder: string): Promise<Map<string, string>> {
  const path = join(folder, checksumsName)
  const text = await readFile(path, 'utf8').catch(() => '')
  const rows = text.split('\n').filter((line) => line.trim() !== '')
  const sums = new Map<string, string>()
  for (const row of rows) {
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/u.exec(row) ?? []
    if (!sum || !name || name.startsWith('/') || name.split('/').includes('..')) {
      throw new AppError('model_unavailable', `${path} is not a list of checksums: "${row}".`)
    }
    sums.set(name, sum)
  }
  if (sums.size > 0) return sums
  throw new AppError(
    'model_unavailable',
    `${path} is missing or empty, so that nothing says whether the files are whole.`,
    {
      help: 'Export the model again: npm run awaz -- models export ID FOLDER.',
    },
  )
}

async function assertSums(folder: string, sums: Map<string, string>, signal: AbortSignal | undefined): Promise<void> {
  for (const [name, sum] of sums) {
    if (name === exportedEntryName) continue
    const { sha256 } = await hashFile(join(folder, name), { signal })
    if (sha256 === sum) continue
    throw new AppError(
      'model_unavailable',
      `${name} is not the file that was exported: its SHA-256 is ${sha256} instead of ${sum}.`,
      {
        help: 'Copy it again, or export the model again.',
      },
    )
  }
}
