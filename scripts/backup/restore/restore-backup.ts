import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { AppError } from '#contract/app-error.ts'
import { mapInOrder } from '#engine/speech/map-in-order.ts'
import { endFile, manifestFile, maxPartBytes, type BackupFile, type BackupManifest } from '../format/manifest.ts'
import { readBounded } from '../read/bounded.ts'
import type { CheckedArchive } from '../read/check-archive.ts'
import { assertKeyGiven, readArchive, type ArchiveOptions } from '../read/read-archive.ts'
import { verifyBackup } from '../read/verify-backup.ts'
import { readBlob } from '../store/blob-store.ts'
import { writeDurably, type StoredFile } from '../store/durable-file.ts'
import { openDatabaseTarget, type DatabaseTargetOptions } from './database-target.ts'
import type { ImportTarget } from './import-database.ts'
import { openModelsTarget, type SkippedModel, type ModelsTarget } from './models-target.ts'
import { assertEmptyFolder, assertSpace, stagingName } from './preconditions.ts'

export interface RestoreOptions extends ArchiveOptions {
  /** Must be empty or missing. */
  dataDir: string
  modelsDir: string
  /** MongoDB to import into, which must be empty; missing for an embedded database in `dataDir`. */
  mongodb?: DatabaseTargetOptions['mongodb']
  /** Whether to leave out damaged and missing files of `blobs`; by default, nothing is restored where there are any. */
  skipDamaged?: boolean
  onStage: (stage: string) => void
  onProgress: (done: number, total: number) => void
}

export interface RestoreResult {
  manifest: BackupManifest
  /** Files of `models/` that were not restored. */
  keptModels: SkippedModel[]
  /** Paths of files that are damaged or missing in the backup, and were left out. */
  skipped: string[]
}

/** How many files are written at the same time: each waits for the disk. */
const maxConcurrent = 3

/**
 * Restores a backup into an empty data folder, after verifying every byte of it. Leaves the folder and the database empty if anything
 * fails.
 *
 * @throws AppError where the folder is not empty, the product runs on it, the backup is damaged or newer, or there is too little space
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoreResult> {
  const { dataDir, onStage } = options
  await assertEmptyFolder(options)
  await assertKeyGiven(options)
  onStage('Verifying the backup (files)')
  const { checked, damagedBlobs } = await verify(options)
  const { manifest } = checked
  const isSkipped = ({ blob }: BackupFile) => blob !== undefined && damagedBlobs.has(blob)
  const files = manifest.files.filter((file) => !isSkipped(file))
  const staging = join(dataDir, stagingName)
  const opened: { models?: ModelsTarget; database?: ImportTarget } = {}
  try {
    await rm(staging, { recursive: true, force: true })
    await mkdir(join(staging, 'data'), { recursive: true, mode: 0o700 })
    const models = (opened.models = await openModels(options, { staging, files }))
    await assertSpace([
      { folder: dataDir, bytes: totalBytes(files.filter((file) => !isModel(file))) },
      { folder: models.volume, bytes: totalBytes(files.filter(isModel)) },
    ])
    const database = (opened.database = await openDatabaseTarget({ ...options, dataDir: join(staging, 'data') }))
    const context = { staging, models, database, checked, files }
    onStage('Restoring audio (files)')
    await restoreBlobs(options, context)
    onStage('Restoring the database')
    await restoreArchive(options, context)
    await database.finish(manifest.database.collections)
    await models.place()
    await moveIntoPlace(join(staging, 'data'), dataDir)
    return { manifest, keptModels: models.kept, skipped: manifest.files.filter(isSkipped).map(({ path }) => path) }
  } catch (error) {
    try {
      await opened.models?.discard()
    } finally {
      await opened.database?.discard()
    }
    throw error
  } finally {
    await opened.database?.close()
    await rm(staging, { recursive: true, force: true })
  }
}

/** Throws where the archive is damaged, or where a file of `blobs` is damaged and must not be left out. */
async function verify(
  options: RestoreOptions,
): Promise<{ checked: CheckedArchive; damagedBlobs: ReadonlySet<string> }> {
  const { problems, isArchiveDamaged, damagedBlobs, checked } = await verifyBackup(options)
  if (checked && (problems.length === 0 || (options.skipDamaged && !isArchiveDamaged))) return { checked, damagedBlobs }
  throw new AppError('invalid_input', 'The backup is damaged; nothing was restored.', {
    details: problems,
    ...(checked && !isArchiveDamaged && { help: 'npm run awaz -- restore --skip-damaged restores everything else.' }),
  })
}

function isModel({ path }: BackupFile): boolean {
  return path.startsWith(modelsPrefix)
}

const modelsPrefix = 'models/'

function openModels(
  { dataDir, modelsDir }: RestoreOptions,
  { staging, files }: { staging: string; files: BackupFile[] },
): Promise<ModelsTarget> {
  const paths = files.filter(isModel).map(({ path }) => path.slice(modelsPrefix.length))
  return openModelsTarget({ dataDir, modelsDir, stagedDataDir: join(staging, 'data'), paths })
}

/** Returns the bytes of the files and of the imported database, which with its indexes takes about twice the size of its documents. */
function totalBytes(files: BackupFile[]): number {
  return files.reduce((sum, { path, sizeBytes }) => sum + sizeBytes * (path.startsWith('database/') ? 2 : 1), 0)
}

interface RestoreContext {
  staging: string
  models: ModelsTarget
  database: ImportTarget
  checked: CheckedArchive
  /** Excludes the files that are left out. */
  files: BackupFile[]
}

async function restoreArchive(options: RestoreOptions, context: RestoreContext): Promise<void> {
  const files = new Map(context.files.map((file) => [file.path, file]))
  let done = 0
  await readArchive(options, async (path, content) => {
    if (path === manifestFile || path === endFile) return skip(content)
    const file = files.get(path)
    if (!file) throw new Error(`${path} is not in its manifest`) // it has changed since it was verified
    if (path.startsWith('database/')) await context.database.importFile(path, await readBounded(content, maxPartBytes))
    else if (!(await writeFile(context, file, content))) await skip(content)
    done += 1
    options.onProgress(done, files.size)
  })
}

async function restoreBlobs(options: RestoreOptions, context: RestoreContext): Promise<void> {
  const inBlobs = context.files.filter(({ blob }) => blob !== undefined)
  const store = { folder: dirname(options.path), masterKey: context.checked.masterKey }
  const { signal } = options
  const restore = (file: BackupFile) => writeFile(context, file, readBlob(store, file.blob ?? ''))
  let done = 0
  for await (const { settled } of mapInOrder(inBlobs, { limit: maxConcurrent, ...(signal && { signal }) }, restore)) {
    signal?.throwIfAborted()
    if (settled.status === 'rejected') throw settled.reason
    done += 1
    options.onProgress(done, inBlobs.length)
  }
}

/** Writes a file, whose path was checked when the archive was verified. Returns false, reading nothing, where it is not restored. */
async function writeFile(
  { staging, models }: RestoreContext,
  file: BackupFile,
  content: AsyncIterable<Uint8Array>,
): Promise<boolean> {
  const target = isModel(file) ? models.stagedPath(file.path.slice(modelsPrefix.length)) : join(staging, file.path)
  if (target === undefined) return false
  assertEqual(file, await writeDurably({ folder: dirname(target), content, pathOf: () => target }))
  return true
}

function assertEqual(file: BackupFile, written: StoredFile): void {
  if (written.sha256 === file.sha256 && written.sizeBytes === file.sizeBytes) return
  throw new AppError('invalid_input', `${file.path} changed while it was restored; nothing was kept.`)
}

/** Reads an entry to its end, so that reading the archive can go on. */
async function skip(content: Readable): Promise<void> {
  content.resume()
  await finished(content)
}

/** Moves the database last: until then, a server that starts here sees nothing of the backup. Moves everything back if a move fails. */
async function moveIntoPlace(staged: string, dataDir: string): Promise<void> {
  const names = (await readdir(staged)).toSorted((a, b) => Number(a === 'db') - Number(b === 'db'))
  const moved: string[] = []
  try {
    for (const name of names) {
      await rename(join(staged, name), join(dataDir, name))
      moved.push(name)
    }
  } catch (error) {
    for (const name of moved) await rename(join(dataDir, name), join(staged, name))
    throw error
  }
}
