import { rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { awazCommand } from '#data/awaz-command.ts'
import { bundledModelsDir, modelPath, readCatalog } from '../catalog.ts'
import { hashFile } from '../content-hash.ts'
import { convertWhisper, openWhisperFolder } from '../convert/convert-whisper.ts'
import { findGgmlProblem } from '../ggml-file.ts'
import { readGguf } from '../gguf-file.ts'
import { listModelFiles } from '../model-files.ts'
import type { ModelEntry } from '../model-entry.ts'
import { addFastForm } from './add-fast-form.ts'
import type { FastForm } from './add-fast-form.ts'
import { copyFile } from './copy-file.ts'
import { assertFreeSpace, createParentFolder, withDiskErrors } from '../disk.ts'
import { recognizeModel } from './recognize-model.ts'
import type { RecognizedModel } from './recognize-model.ts'
import { importExported } from './import-exported.ts'
import { importOnnx } from './import-onnx.ts'
import { assertImportOptions, toModelId } from './import-options.ts'
import type { ImportOptions } from './import-options.ts'
import { saveLocalEntry } from './local-catalog.ts'
import { withLock } from './lock-file.ts'
import { makeGgmlEntry, makeGgufEntry } from './make-entry.ts'
import type { StoreConfig, StoreOptions } from './store-options.ts'
import { withUnpackFolder } from './unpack/unpack-folder.ts'
import { unpack } from './unpack/unpack.ts'

/** A model that was added to the models folder and to the catalog. */
export interface ImportedModel {
  model: ModelEntry
  path: string
  /** Set for a Whisper that was imported in ggml format or converted to it. */
  fastForm?: FastForm
}

/**
 * Imports a model from a file, a folder or an archive, whose format is detected from its content. Converts Whisper weights from Hugging
 * Face or CTranslate2. Adds an entry to the operator's catalog; the model becomes visible when it is complete.
 *
 * @throws AppError with what was found and what to do; `conflict` if a model with that id already exists
 */
export async function importModel(
  source: string,
  options: ImportOptions,
  config: Pick<StoreConfig, 'modelsDir'>,
  store: StoreOptions = {},
): Promise<ImportedModel> {
  const found = await recognizeModel(source)
  if (found.kind === 'archive') {
    return withUnpackFolder(config.modelsDir, async (folder) => {
      await unpack(found.path, folder, store)
      return installModel(await recognizeUnpacked(folder), toModelId(basename(source)), options, config, store)
    })
  }
  return installModel(found, toModelId(basename(source)), options, config, store)
}

async function recognizeUnpacked(folder: string): Promise<RecognizedModel> {
  const found = await recognizeModel(folder)
  if (found.kind !== 'archive') return found
  throw new AppError('model_unavailable', 'The archive holds another archive.', { help: 'Unpack it first.' })
}

async function installModel(
  found: RecognizedModel,
  defaultId: string,
  options: ImportOptions,
  config: Pick<StoreConfig, 'modelsDir'>,
  store: StoreOptions,
): Promise<ImportedModel> {
  const { modelsDir } = config
  assertImportOptions(options, found.kind === 'gguf' ? 'translation' : 'speech')
  if (found.kind === 'exported') return importExported(found.folder, options, modelsDir, store)
  const target = await chooseTarget(found, defaultId, options, modelsDir)
  if (found.kind === 'onnx') {
    await assertFree(join(modelsDir, target.id), target.id)
    return importOnnx(found, target, options, modelsDir, store)
  }
  if (found.kind === 'archive') throw new Error('archives are unpacked first')
  const file = await chooseFileName(target.id, found.kind === 'gguf' ? '.gguf' : '.bin', modelsDir)
  const path = join(modelsDir, file)
  await assertFree(path, target.id)
  await createParentFolder(path)
  const partial = `${path}.partial`
  return withLock(partial, async () => {
    try {
      await writeModelFile(found, partial, options, store)
      const make = found.kind === 'gguf' ? makeGgufEntry : makeGgmlEntry
      const draft = await make({ ...target, file, options, fallbackName: target.id }, partial)
      const entry = await checkAndMeasure({ ...draft, path: partial }, target.known, store)
      await withDiskErrors(path, () => rename(partial, path))
      await saveLocalEntry(modelsDir, entry)
      if (entry.kind !== 'speech') return { model: entry, path }
      const source = found.kind === 'whisper' ? () => openWhisperFolder(found.folder) : undefined
      return { model: entry, path, fastForm: await addFastForm(entry, path, { ...store, modelsDir, open: source }) }
    } finally {
      await rm(partial, { force: true })
    }
  })
}

interface Target {
  id: string
  known: ModelEntry | undefined
}

/** Chooses the id. The id of a model in the catalog is used only if `options` or the file's hash identify that model. */
async function chooseTarget(
  found: RecognizedModel,
  defaultId: string,
  options: ImportOptions,
  modelsDir: string,
): Promise<Target> {
  const models = await readCatalog(modelsDir)
  const bundled = await readCatalog(bundledModelsDir)
  const isTaken = bundled.some(({ id }) => id === defaultId)
  const ownId = isTaken ? `${defaultId}-imported` : defaultId
  const id = options.id ?? (await findByHash(found, bundled)) ?? ownId
  const known = models.find((model) => model.id === id)
  const path = known && modelPath(known, modelsDir)
  if (path !== undefined && (await exists(path))) {
    throw new AppError('conflict', `There is a model "${id}" already: ${path}.`, {
      help: `Choose another id with --id, or remove that one first: ${awazCommand} models remove ${id}.`,
    })
  }
  return { id, known }
}

/** Returns a name below the models folder that no other entry has: whisper-base, for instance, already has ggml-base.bin. */
async function chooseFileName(id: string, extension: string, modelsDir: string): Promise<string> {
  const name = `${id}${extension}`
  const isTaken = (await readCatalog(modelsDir)).some((model) => model.id !== id && model.file === name)
  return isTaken ? `${id}-imported${extension}` : name
}

async function assertFree(path: string, id: string): Promise<void> {
  if (!(await exists(path))) return
  throw new AppError('conflict', `The model cannot be imported as "${id}": ${path} is there already.`, {
    help: 'Choose another id with --id, or give the file or folder that is imported another name.',
  })
}

/** Returns the id of the model in the catalog with this file, so that a manual download gets its name, errors and settings. */
async function findByHash(found: RecognizedModel, models: ModelEntry[]): Promise<string | undefined> {
  if (found.kind !== 'ggml' && found.kind !== 'gguf') return undefined
  const { sha256, sha1 } = await hashFile(found.path, {})
  return models.find((model) => !model.isDemo && (model.sha256 === sha256 || model.sha1 === sha1))?.id
}

/** Copies or converts a model to `partial`. Checks the source first, so that no large file is written for nothing. */
async function writeModelFile(
  found: Extract<RecognizedModel, { kind: 'ggml' | 'gguf' | 'whisper' }>,
  partial: string,
  { quantize }: ImportOptions,
  { signal, onProgress }: StoreOptions,
): Promise<void> {
  if (found.kind === 'whisper') {
    const settings = {
      quantize: quantize ? ('q8_0' as const) : undefined,
      signal,
      onProgress: (progress: { done: number; total: number }) => onProgress?.({ stage: 'convert', ...progress }),
    }
    return withDiskErrors(partial, () => convertWhisper(found.folder, partial, settings))
  }
  await assertIntact(found)
  const { size } = await stat(found.path)
  await assertFreeSpace(dirname(partial), size)
  let done = 0
  const onBytes = (bytes: number) => onProgress?.({ stage: 'copy', done: (done += bytes), total: size })
  await copyFile(found.path, partial, { signal, onBytes })
}

async function assertIntact({ kind, path }: { kind: 'ggml' | 'gguf'; path: string }): Promise<void> {
  const read = kind === 'gguf' ? await readGguf(path) : { problem: await findGgmlProblem(path) }
  if ('problem' in read && read.problem)
    throw new AppError('model_unavailable', `${path} cannot be imported: ${read.problem}.`)
}

/**
 * Checks the structure of a draft's file; returns the entry with the file's size and hash. The hash names the weights of a speech model
 * and of its forms, unless the file is the one in the catalog.
 */
async function checkAndMeasure(
  draft: ModelEntry & { path: string },
  known: ModelEntry | undefined,
  { signal, onProgress }: StoreOptions,
): Promise<ModelEntry> {
  const { path, ...entry } = draft
  const { size } = await stat(path)
  onProgress?.({ stage: 'check', done: 0, total: size })
  const [file] = await listModelFiles(draft)
  const problem = await file?.findProblem()
  if (problem) throw new AppError('model_unavailable', `The model ${entry.name} cannot be imported: ${problem}.`)
  const { sha256, sha1 } = await hashFile(path, { signal })
  const measured = { ...entry, sizeBytes: size, sha256 }
  const isKnownFile = known?.sha256 === sha256 || known?.sha1 === sha1
  return measured.kind === 'speech' && !isKnownFile ? { ...measured, weights: sha256 } : measured
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
