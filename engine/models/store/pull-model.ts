import { rename, stat } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import { t } from '#contract/texts/t.ts'
import { awazCommand } from '#data/awaz-command.ts'
import { findEntry, modelPath } from '../catalog.ts'
import { hashFile } from '../content-hash.ts'
import { listModelFiles } from '../model-files.ts'
import type { ModelEntry } from '../model-entry.ts'
import { verifyModel } from '../verify.ts'
import { addFastForm, hasFastForm } from './add-fast-form.ts'
import type { FastForm } from './add-fast-form.ts'
import { createParentFolder, withDiskErrors } from '../disk.ts'
import { discardDownload, download } from './download.ts'
import type { DownloadOptions } from './download.ts'
import { importModel } from './import-model.ts'
import { withLock } from './lock-file.ts'
import type { StoreConfig, StoreOptions } from './store-options.ts'

interface PullOptions extends StoreOptions, Pick<DownloadOptions, 'retryMs' | 'idleMs'> {
  /** The environment that specifies proxies; that of this process by default. */
  env?: DownloadOptions['env']
}

/** `isNew` is false for a model that was already installed. */
export interface PulledModel {
  model: ModelEntry
  path: string
  isNew: boolean
  /** Set for a Whisper in ggml format that had no fast form yet. */
  fastForm?: FastForm
}

/**
 * Downloads a model in the catalog, from MODELS_MIRROR if that is set. It becomes visible only if its size and hash match the catalog or
 * the hub, and its structure is that of a model.
 *
 * @throws AppError with what is wrong and what to do; a partial download is kept and resumed next time
 */
export async function pullModel(id: string, config: StoreConfig, options: PullOptions = {}): Promise<PulledModel> {
  const entry = await findEntry(id, config.modelsDir)
  const problem = findPullProblem(entry, config)
  const path = modelPath(entry, config.modelsDir)
  if (problem || path === undefined || entry.url === null) {
    throw new AppError('model_unavailable', `The model ${entry.name} cannot be downloaded: ${problem}.`, {
      help: howToImport(entry),
    })
  }
  if (await isIntact(entry, path, config, options)) {
    return { model: entry, path, isNew: false, ...(await addForm(entry, path, config, options)) }
  }
  const address = toMirrorUrl(entry.url, config.modelsMirror)
  await createParentFolder(path)
  if (isFolder(entry)) return pullArchive(entry, address, path, config, options)
  const partial = `${path}.partial`
  await withLock(partial, async () => {
    const hubMetadata = await fetchFile(address, partial, entry, options)
    await assertIsModel(entry, { partial, address, sha256: entry.sha256 ?? hubMetadata.sha256 ?? null }, options)
    await withDiskErrors(path, () => rename(partial, path))
    await discardDownload(partial)
  })
  await hashFile(path, { modelsDir: config.modelsDir, signal: options.signal })
  return { model: entry, path, isNew: true, ...(await addForm(entry, path, config, options)) }
}

async function addForm(
  entry: ModelEntry,
  path: string,
  { modelsDir }: StoreConfig,
  { signal, onProgress }: StoreOptions,
): Promise<Pick<PulledModel, 'fastForm'>> {
  if (entry.kind !== 'speech' || isFolder(entry) || (await hasFastForm(entry, modelsDir))) return {}
  return { fastForm: await addFastForm(entry, path, { modelsDir, signal, onProgress }) }
}

/** Downloads, unpacks and imports the archive in which a sherpa-onnx model is published. */
async function pullArchive(
  entry: ModelEntry,
  address: string,
  path: string,
  config: StoreConfig,
  options: PullOptions,
): Promise<PulledModel> {
  const archive = `${path}.archive.partial`
  return withLock(archive, async () => {
    const unknown = { sizeBytes: null, sha256: null, sha1: null }
    await fetchFile(address, archive, unknown, options)
    const imported = await importModel(archive, { id: entry.id }, config, options).catch(async (error: unknown) => {
      if (!options.signal?.aborted) await discardDownload(archive)
      throw error
    })
    await discardDownload(archive)
    return { ...imported, isNew: true }
  })
}

function fetchFile(
  address: string,
  path: string,
  { sizeBytes, sha256, sha1 }: Pick<ModelEntry, 'sizeBytes' | 'sha256' | 'sha1'>,
  { signal, onProgress, env = process.env, retryMs, idleMs }: PullOptions,
): ReturnType<typeof download> {
  return download(address, path, {
    sizeBytes,
    isHashKnown: (sha256 ?? sha1) !== null,
    env,
    signal,
    retryMs,
    idleMs,
    onProgress: (done, total) => onProgress?.({ stage: 'download', done, total }),
  })
}

function isFolder(entry: ModelEntry): boolean {
  return entry.kind === 'speech' && entry.sherpa !== null
}

function isArchive(url: string): boolean {
  return /\.(?:zip|tar|tgz|tar\.gz|tar\.bz2)$/u.test(new URL(url).pathname)
}

/** Returns why a model cannot be downloaded, as the end of a sentence; undefined if it can. */
export function findPullProblem(entry: ModelEntry, { isOffline }: Pick<StoreConfig, 'isOffline'>): string | undefined {
  if (entry.isDemo) return t('it comes with Awaz')
  if (isOffline) return t('this installation is offline (OFFLINE)')
  if (entry.kind === 'speech' && entry.remoteName !== undefined) return t('a transcription server runs it')
  if (entry.url === null) return t('its source is unknown')
  if (entry.file === null) return t('it must be converted')
  if (isFolder(entry) && !isArchive(entry.url)) return t('it has several files, and no archive of them is known')
  return undefined
}

function howToImport({ url, file }: ModelEntry): string {
  const from = url ? ` from ${url} on a machine with internet` : ''
  const what = file === null ? 'Get its folder' : 'Get it'
  return `${what}${from}, then bring it in: ${awazCommand} models import PATH.`
}

/** Returns the URL with the same path on the mirror. */
function toMirrorUrl(url: string, mirror: string | undefined): string {
  if (mirror === undefined) return url
  const { pathname, search } = new URL(url)
  return `${mirror}${pathname}${search}`
}

async function isIntact(
  entry: ModelEntry,
  path: string,
  config: StoreConfig,
  { signal }: StoreOptions,
): Promise<boolean> {
  return verifyModel({ ...entry, path }, { modelsDir: config.modelsDir, signal }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'model_unavailable') return false
      throw error
    },
  )
}

/** Deletes a file that is not the model, so that no later download resumes from it. */
async function assertIsModel(
  entry: ModelEntry,
  { partial, address, sha256 }: { partial: string; address: string; sha256: string | null },
  { signal, onProgress }: StoreOptions,
): Promise<void> {
  const { size } = await stat(partial)
  onProgress?.({ stage: 'check', done: 0, total: size })
  const problem = (await findProblem(entry, partial)) ?? (await findHashProblem(entry, { partial, sha256, signal }))
  onProgress?.({ stage: 'check', done: size, total: size })
  if (!problem) return
  await discardDownload(partial)
  throw new AppError(
    'model_unavailable',
    `What ${address} sent is not the model ${entry.name}: ${problem}. It was deleted.`,
    {
      help: `Try again, or get the file from elsewhere and bring it in with ${awazCommand} models import FILE.`,
    },
  )
}

async function findProblem(entry: ModelEntry, path: string): Promise<string | undefined> {
  const [file] = await listModelFiles({ ...entry, path })
  return file?.findProblem()
}

async function findHashProblem(
  { sha1 }: ModelEntry,
  { partial, sha256, signal }: { partial: string; sha256: string | null; signal?: AbortSignal },
): Promise<string | undefined> {
  if (sha256 === null && sha1 === null) return undefined
  const actual = await hashFile(partial, { signal })
  if (sha256 !== null && actual.sha256 !== sha256) return `its SHA-256 is ${actual.sha256} instead of ${sha256}`
  if (sha1 !== null && actual.sha1 !== sha1) return `its SHA-1 is ${actual.sha1} instead of ${sha1}`
  return undefined
}
