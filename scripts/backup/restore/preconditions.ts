import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { findRunningDatabase } from '../../admin/database.ts'
import { modelsEntry } from './models-target.ts'

/** Everything is written here first, and moved into DATA_DIR once complete. A restore replaces what an earlier, killed one left here. */
export const stagingName = '.restoring'

/** Throws `conflict` where Awaz is running on DATA_DIR, or it holds anything but an empty models folder. */
export async function assertEmptyFolder(folders: { dataDir: string; modelsDir: string }): Promise<void> {
  const { dataDir } = folders
  if (await findRunningDatabase(dataDir)) {
    throw new AppError('conflict', `Awaz is running on ${dataDir}.`, {
      help: 'Restore into an empty folder: set DATA_DIR to one.',
    })
  }
  const ignored = new Set([stagingName, 'lost+found'])
  const models = modelsEntry(folders)
  if (models !== undefined && (await holdsNoFile(join(dataDir, models)))) ignored.add(models)
  const found = (await readdir(dataDir).catch(() => [])).find((name) => !ignored.has(name))
  if (found === undefined) return
  throw new AppError('conflict', `${dataDir} is not empty: it holds ${found}.`, {
    help: 'Restore into an empty folder: set DATA_DIR to one, or move what is there away.',
  })
}

async function holdsNoFile(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined)
  return entries !== undefined && entries.every((entry) => entry.isDirectory())
}

/** Throws `disk_full` where a volume has too little space for all that will be written to its folders. */
export async function assertSpace(needs: { folder: string; bytes: number }[]): Promise<void> {
  const volumes = new Map<number, { folder: string; bytes: number }>()
  for (const { folder, bytes } of needs) {
    const { dev } = await stat(folder)
    const volume = volumes.get(dev)
    volumes.set(dev, { folder: volume?.folder ?? folder, bytes: bytes + (volume?.bytes ?? 0) })
  }
  for (const { folder, bytes } of volumes.values()) {
    const { bavail, bsize } = await statfs(folder)
    if (bavail * bsize >= bytes) continue
    const [needed, free] = [bytes, bavail * bsize].map((size) => `${Math.ceil(size / 1e6)} MB`)
    throw new AppError('disk_full', `The backup needs ${needed}, and ${folder} has ${free} free.`)
  }
}
