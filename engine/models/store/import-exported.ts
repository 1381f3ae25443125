import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { awazCommand } from '#data/awaz-command.ts'
import { modelPath, readCatalog } from '../catalog.ts'
import { ModelEntry } from '../model-entry.ts'
import { readTextFile } from '../read-text-file.ts'
import { assertChecksums, readChecksums } from './checksums.ts'
import { copyFolder } from './copy-folder.ts'
import { exportedEntryName } from './exported-entry.ts'
import { assertModelId } from './import-options.ts'
import type { ImportOptions } from './import-options.ts'
import { saveLocalEntry } from './local-catalog.ts'
import type { StoreOptions } from './store-options.ts'

/** Imports a model written by exportModel, with its original entry. Every file is checked against SHA256SUMS. */
export async function importExported(
  folder: string,
  options: ImportOptions,
  modelsDir: string,
  store: StoreOptions,
): Promise<{ model: ModelEntry; path: string }> {
  const exported = await readEntry(folder)
  const id = options.id ?? exported.id
  assertModelId(id)
  const isFolder = exported.kind === 'speech' && exported.sherpa !== null
  const name = exported.file ?? ''
  // Each file gets a separate folder, so that no two models can claim the same name.
  const file = isFolder ? id : `${id}/${name}`
  // The files of demo models are looked up in this installation, where nothing is written.
  const entry = { ...exported, id, name: options.name ?? exported.name, file, isDemo: false }
  await assertFree(entry, modelsDir)
  const sums = await readChecksums(folder)
  assertComplete(folder, exported, new Set(sums.keys()))
  const names = [...sums.keys()]
  const target = join(modelsDir, id)
  await copyFolder(folder, target, names, {
    ...store,
    async check(partial) {
      await assertChecksums(partial, sums, store.signal)
      await rm(join(partial, exportedEntryName))
    },
  })
  await saveLocalEntry(modelsDir, entry)
  return { model: entry, path: isFolder ? target : join(target, name) }
}

async function readEntry(folder: string): Promise<ModelEntry> {
  const path = join(folder, exportedEntryName)
  try {
    return ModelEntry.parse(JSON.parse(await readTextFile(path)))
  } catch (error) {
    throw new AppError('model_unavailable', `${path} is not the entry of an exported model.`, {
      help: `Export the model again: ${awazCommand} models export ID FOLDER.`,
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
      help: `Choose another id with --id, or remove that one first: ${awazCommand} models remove ${entry.id}.`,
    })
  }
}

/** Asserts that every role of a model has a file: an export may have only one kind of weights. */
function assertComplete(folder: string, exported: ModelEntry, names: Set<string>): void {
  const missing = findMissing(exported, names)
  if (missing === undefined) return
  throw new AppError('model_unavailable', `The exported model in ${folder} has no file ${missing}.`, {
    help: `Export the model again: ${awazCommand} models export ID FOLDER.`,
  })
}

function findMissing(exported: ModelEntry, names: Set<string>): string | undefined {
  if (exported.kind === 'translation' || !exported.sherpa) {
    const name = exported.file ?? ''
    return names.has(name) ? undefined : name
  }
  const { files, float32Files } = exported.sherpa
  const missing = Object.entries(files).find(
    ([role, { name }]) => !names.has(name) && !names.has(float32Files[role]?.name ?? ''),
  )
  return missing?.[1].name
}
