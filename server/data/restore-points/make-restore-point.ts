import { chmod, copyFile, link, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DatabaseConnection } from '../connect.ts'
import { withEmbeddedSnapshot } from '../embedded-snapshot.ts'
import { hashFile } from '../hash-file.ts'
import { version } from '../version.ts'
import { renameDurably, syncPath } from '../durable-files.ts'
import {
  nextRestorePointName,
  pruneRestorePoints,
  restorePointPaths,
  restorePointsFolder,
  type RestorePointRecord,
} from './restore-points.ts'
import { assertDiskSpace, notEnoughSpaceError } from './disk-space.ts'

interface MakeOptions {
  connection: DatabaseConnection
  dataDir: string
  /** Version of the stored data. */
  dataVersion: number
  fromVersion: string | null
  signal: AbortSignal
  /** Called with the number of pages copied so far. */
  onProgress?: ((done: number, total: number) => void) | undefined
}

/**
 * Copies a consistent state of the running embedded database to DATA_DIR/restore-points, and deletes older copies. Secrets and recordings
 * are not included: migrations change neither. Returns the name of the copy.
 *
 * @throws AppError `disk_full` where there is too little space; nothing has been written then
 */
export async function makeRestorePoint({
  connection,
  dataDir,
  signal,
  onProgress,
  ...data
}: MakeOptions): Promise<string> {
  const { db } = connection
  if (!db) throw new Error('The database connection is closed')
  await pruneRestorePoints(dataDir)
  await assertDiskSpace(dataDir)
  const name = await withEmbeddedSnapshot(db, { signal, ...(onProgress && { onProgress }) }, async (file) => {
    const staged = await stageRestorePoint(file, dataDir, data)
    await staged.finish()
    return staged.name
  }).catch(translate)
  await pruneRestorePoints(dataDir)
  return name
}

/** Stores a data file that no process is writing to as a restore point, which is listed once it is finished. */
export async function stageRestorePoint(
  file: string,
  dataDir: string,
  { dataVersion, fromVersion }: Pick<RestorePointRecord, 'dataVersion' | 'fromVersion'>,
): Promise<{ name: string; finish: () => Promise<void> }> {
  const root = restorePointsFolder(dataDir)
  await mkdir(root, { recursive: true, mode: 0o700 })
  await chmod(root, 0o700)
  const at = new Date()
  const name = await nextRestorePointName(dataDir, at, dataVersion)
  const partial = join(root, `${name}.partial`)
  await mkdir(partial, { mode: 0o700 })
  const paths = restorePointPaths(partial)
  // The copy is on the same disk, unless the database's folder is a separate mount.
  await link(file, paths.dataFile).catch(() => copyFile(file, paths.dataFile))
  await chmod(paths.dataFile, 0o600)
  const record: RestorePointRecord = {
    format: 1,
    createdAt: at.toISOString(),
    dataVersion,
    fromVersion,
    toVersion: version,
    ...(await hashFile(paths.dataFile)),
  }
  await writeFile(paths.record, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 })
  for (const path of [paths.dataFile, paths.record, partial]) await syncPath(path)
  return { name, finish: () => renameDurably(partial, join(root, name)) }
}

/** Translates an error. The database's process checks for space itself if its file is in a folder unknown to this process. */
function translate(error: unknown): never {
  if (error instanceof Error && 'codeName' in error && error.codeName === 'OutOfDiskSpace')
    throw notEnoughSpaceError(error.message, error)
  throw error
}
