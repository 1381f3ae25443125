import { copyFile, constants, mkdir, readdir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { AppError } from '#contract/app-error.ts'
import { mapInOrder } from '#engine/speech/map-in-order.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { findRunningDatabase } from '../../admin/database.ts'
import { endFile, manifestFile, type BackupFile, type BackupManifest } from '../format/manifest.ts'
import type { CheckedArchive } from '../read/check-archive.ts'
import { assertKeyGiven, readArchive, type ArchiveOptions } from '../read/read-archive.ts'
import { verifyBackup } from '../read/verify-backup.ts'
import { readBlob } from '../store/blob-store.ts'
import { writeDurably, type StoredFile } from '../store/durable-file.ts'
import { openImport, type ImportTarget } from './import-database.ts'

export interface RestoreOptions extends ArchiveOptions {
  /** Must be empty or missing. */
  dataDir: string
  modelsDir: string
  /** MongoDB to import into, which must be empty; missing for an embedded database in `dataDir`. */
  mongodb?: { uri: string; dbName: string } | undefined
  onStage: (stage: string) => void
  onProgress: (done: number, total: number) => void
}

export interface Restored {
  manifest: BackupManifest
  /** Files of `models/` that were not restored, because others of their names are there. */
  keptModels: string[]
}

/** Everything is written here first, and moved into DATA_DIR when it is complete. A later restore replaces what a killed one left. */
const stagingName = '.restoring'
/** Files that are written at the same time: each waits for its disk. */
const maxConcurrent = 3

/**
 * Restores a backup into an empty data folder, after every byte of it was verified. Leaves the folder empty where anything fails.
 *
 * @throws AppError where the folder is not empty, the product runs on it, the backup is damaged or newer, or there is too little space
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { dataDir, onStage, onProgress } = options
  await assertEmptyFolder(dataDir)
  await assertKeyGiven(options)
  onStage('Verifying the backup (files)')
  const { problems, checked } = await verifyBackup({ ...options, onProgress })
  if (problems.length > 0 || !checked) {
    throw new AppError('invalid_input', 'The backup is damaged; nothing was restored.', { details: problems })
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await assertSpace(dataDir, totalBytes(checked.manifest))
  const staging = join(dataDir, stagingName)
  try {
    await rm(staging, { recursive: true, force: true })
    await mkdir(join(staging, 'data'), { recursive: true, mode: 0o700 })
    onStage('Restoring the database')
    await withTarget(options, staging, async (target) => {
      await restoreArchive(options, { staging, target, checked })
      await target.assertCounts(checked.manifest.database.collections)
    })
    onStage('Restoring sound (files)')
    await restoreBlobs(options, { staging, checked })
    const keptModels = await restoreModels(join(staging, 'models'), options.modelsDir)
    await moveIntoPlace(join(staging, 'data'), dataDir)
    return { manifest: checked.manifest, keptModels }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function assertEmptyFolder(dataDir: string): Promise<void> {
  if (await findRunningDatabase(dataDir)) {
    throw new AppError('conflict', `Awaz is running on ${dataDir}.`, {
      help: 'Restore into an empty folder: set DATA_DIR to one.',
    })
  }
  const ignored = new Set([stagingName, 'lost+found'])
  const found = (await readdir(dataDir).catch(() => [])).find((name) => !ignored.has(name))
  if (found === undefined) return
  throw new AppError('conflict', `${dataDir} is not empty: it holds ${found}.`, {
    help: 'Restore into an empty folder: set DATA_DIR to one, or move what is there away.',
  })
}

/** Files and the imported database, which takes about twice its documents with indexes. */
function totalBytes({ files }: BackupManifest): number {
  return files.reduce((sum, { path, sizeBytes }) => sum + sizeBytes * (path.startsWith('database/') ? 2 : 1), 0)
}

async function assertSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize >= neededBytes) return
  const [needed, free] = [neededBytes, bavail * bsize].map((bytes) => `${Math.ceil(bytes / 1e6)} MB`)
  throw new AppError('disk_full', `The backup needs ${needed}, and ${folder} has ${free} free.`)
}

async function withTarget(
  { mongodb }: RestoreOptions,
  staging: string,
  work: (target: ImportTarget) => Promise<void>,
): Promise<void> {
  if (mongodb) {
    const target = await openImport(mongodb.uri, mongodb.dbName)
    try {
      await work(target)
    } catch (error) {
      await target.discard()
      throw error
    } finally {
      await target.close()
    }
    return
  }
  const runtimeDir = await makeRuntimeFolder()
  await mkdir(join(staging, 'data', 'db'), { recursive: true, mode: 0o700 })
  const engine = await startEmbeddedDatabase({
    dataFile: join(staging, 'data', 'db', 'awaz.sqlite'),
    socketPath: join(runtimeDir, 'db.sock'),
    // What expired since the backup is removed by the product, not before it was counted.
    sweepIntervalMs: 2 ** 31 - 1,
  })
  try {
    const target = await openImport(engine.uri, 'awaz')
    await work(target).finally(() => target.close())
  } finally {
    await engine.stop()
    await rm(runtimeDir, { recursive: true, force: true })
  }
}

interface RestoreContext {
  staging: string
  checked: CheckedArchive
}

async function restoreArchive(
  options: RestoreOptions,
  { staging, target, checked }: RestoreContext & { target: ImportTarget },
): Promise<void> {
  const files = new Map(checked.manifest.files.map((file) => [file.path, file]))
  let done = 0
  await readArchive(options, async (path, content) => {
    if (path === manifestFile || path === endFile) return void (await buffer(content))
    const file = files.get(path)
    if (!file) throw new Error(`${path} is not in its manifest`) // it was changed since it was verified
    if (path.startsWith('database/')) await target.importFile(path, await buffer(content))
    else assertEqual(file, await writeFile(staging, file, content as AsyncIterable<Buffer>))
    done += 1
    options.onProgress(done, files.size)
  })
}

async function restoreBlobs(options: RestoreOptions, { staging, checked }: RestoreContext): Promise<void> {
  const inBlobs = checked.manifest.files.filter(({ blob }) => blob !== undefined)
  const store = { folder: dirname(options.path), masterKey: checked.masterKey }
  const { signal } = options
  const restore = async (file: BackupFile) =>
    assertEqual(file, await writeFile(staging, file, readBlob(store, file.blob ?? '')))
  let done = 0
  for await (const { settled } of mapInOrder(inBlobs, { limit: maxConcurrent, ...(signal && { signal }) }, restore)) {
    signal?.throwIfAborted()
    if (settled.status === 'rejected') throw settled.reason
    done += 1
    options.onProgress(done, inBlobs.length)
  }
}

/** Paths were checked when the archive was verified. */
function writeFile(staging: string, { path }: BackupFile, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
  const target = join(staging, path)
  return writeDurably({ folder: dirname(target), content, pathOf: () => target })
}

function assertEqual(file: BackupFile, written: StoredFile): void {
  if (written.sha256 === file.sha256 && written.sizeBytes === file.sizeBytes) return
  throw new AppError('invalid_input', `${file.path} changed while it was restored; nothing was kept.`)
}

/** Copies models and choices to where they are looked for. Returns those that are there already and stay as they are. */
async function restoreModels(staged: string, modelsDir: string): Promise<string[]> {
  const kept: string[] = []
  const entries = await readdir(staged, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries.filter((found) => found.isFile())) {
    const source = join(entry.parentPath, entry.name)
    const path = source.slice(staged.length + 1)
    try {
      await mkdir(dirname(join(modelsDir, path)), { recursive: true })
      await copyFile(source, join(modelsDir, path), constants.COPYFILE_EXCL)
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (!['EEXIST', 'EACCES', 'EROFS', 'EPERM'].includes(code)) throw error
      kept.push(path)
    }
  }
  return kept
}

/** The database comes last: until then a server that starts here has nothing of the backup. */
async function moveIntoPlace(staged: string, dataDir: string): Promise<void> {
  const names = (await readdir(staged)).toSorted((a, b) => Number(a === 'db') - Number(b === 'db'))
  for (const name of names) await rename(join(staged, name), join(dataDir, name))
}
