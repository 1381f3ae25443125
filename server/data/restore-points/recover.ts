import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '../if-exists.ts'
import { renameDurably } from '../durable-files.ts'
import { hashFile } from '../hash-file.ts'
import { readRestorePoint, restorePointsFolder } from './restore-points.ts'

const partialName = /^(\d{8}T\d{9}Z-data-\d+)\.partial$/

/** Returns the paths of the embedded database's file and of the copy that is about to replace it. */
export function databasePaths(dataDir: string): { live: string; incoming: string } {
  const live = join(dataDir, 'db', 'awaz.sqlite')
  return { live, incoming: `${live}.restoring` }
}

/**
 * Cleans up what a dead process left in the restore points: finishes complete ones, which may be the only copy of a replaced database, and
 * deletes the others and an incoming copy that replaced nothing. Returns the names of the finished ones. No restore point may be made in
 * the meantime.
 */
export async function recoverRestorePoints(dataDir: string): Promise<string[]> {
  const root = restorePointsFolder(dataDir)
  const { live, incoming } = databasePaths(dataDir)
  await rm(incoming, { force: true })
  const finished: string[] = []
  for (const partial of (await ifExists(() => readdir(root))) ?? []) {
    if (!partial.endsWith('.partial')) continue
    const name = partialName.exec(partial)?.[1]
    if (name !== undefined && (await isWhole(root, partial, live))) {
      await renameDurably(join(root, partial), join(root, name))
      finished.push(name)
    } else await rm(join(root, partial), { recursive: true, force: true })
  }
  return finished
}

/** Returns whether it matches its record. A file that is also the live database is still being written to. */
async function isWhole(root: string, partial: string, live: string): Promise<boolean> {
  const point = await readRestorePoint(root, partial)
  const file = point && (await ifExists(() => stat(point.dataFile)))
  if (!file || file.size !== point.sizeBytes) return false
  const current = await ifExists(() => stat(live))
  if (current?.ino === file.ino && current.dev === file.dev) return false
  return (await hashFile(point.dataFile)).sha256 === point.sha256
}
