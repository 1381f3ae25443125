import { stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { findEntry, modelPath } from '../catalog.ts'
import { hashFile } from '../content-hash.ts'
import type { ModelEntry } from '../model-entry.ts'
import { verifyModel } from '../verify.ts'
import { writeChecksums } from './checksums.ts'
import { copyFolder } from './copy-folder.ts'
import { exportedEntryName } from './exported-entry.ts'
import { listOnnxFiles } from './list-onnx-files.ts'
import type { StoreConfig, StoreOptions } from './store-options.ts'

/**
 * Exports a model to the new folder `folder`/ID, for a USB stick: its files, its catalog entry and SHA256SUMS, which `sha256sum -c` and
 * importModel check. Returns that folder.
 *
 * @throws AppError if the model is incomplete or the folder already exists
 */
export async function exportModel(
  id: string,
  folder: string,
  config: Pick<StoreConfig, 'modelsDir'>,
  store: StoreOptions = {},
): Promise<string> {
  const { modelsDir } = config
  const entry = await findEntry(id, modelsDir)
  const path = modelPath(entry, modelsDir)
  if (path === undefined) {
    throw new AppError('model_unavailable', `The model ${entry.name} has no file that could be exported.`)
  }
  await verifyModel({ ...entry, path }, { modelsDir, signal: store.signal })
  const target = resolve(folder, id)
  if (await stat(target).catch(() => undefined)) {
    throw new AppError('conflict', `${target} is there already.`, { help: 'Delete it, or export into another folder.' })
  }
  const { source, names } = await listFiles(entry, path)
  await copyFolder(source, target, names, {
    ...store,
    check: (partial) => writeEntry(entry, { partial, names, signal: store.signal }),
  })
  return target
}

async function listFiles(entry: ModelEntry, path: string): Promise<{ source: string; names: string[] }> {
  if (entry.kind === 'translation' || !entry.sherpa) return { source: dirname(path), names: [basename(path)] }
  return { source: path, names: await listOnnxFiles(path, entry.sherpa) }
}

/** Computes the checksums from the copy: a bad USB stick may have stored something other than what was read. */
async function writeEntry(
  entry: ModelEntry,
  { partial, names, signal }: { partial: string; names: string[]; signal?: AbortSignal },
): Promise<void> {
  const entryPath = join(partial, exportedEntryName)
  const isSingle = entry.kind === 'translation' || !entry.sherpa
  const exported = isSingle ? await withFile(entry, join(partial, names[0] ?? ''), signal) : entry
  await writeFile(entryPath, `${JSON.stringify({ ...exported, isDemo: false }, null, 2)}\n`)
  await writeChecksums(partial, [...names, exportedEntryName], signal)
}

async function withFile(entry: ModelEntry, path: string, signal: AbortSignal | undefined): Promise<ModelEntry> {
  const { sha256 } = await hashFile(path, { signal })
  return { ...entry, file: basename(path), sizeBytes: (await stat(path)).size, sha256 }
}
