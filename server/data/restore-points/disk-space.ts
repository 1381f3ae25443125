import { stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { ifExists } from '../if-exists.ts'

/** Left free besides the copy, for the database to grow while it is migrated: 512 MiB, which its process requires too. */
const reserveBytes = 512 * 2 ** 20

export interface DiskSpace {
  neededBytes: number
  freeBytes: number
}

/** Returns how much space a restore point of the embedded database needs; undefined where its file is not in this data folder. */
export async function measureDiskSpace(dataDir: string): Promise<DiskSpace | undefined> {
  const folder = join(dataDir, 'db')
  const sizes = await Promise.all(['awaz.sqlite', 'awaz.sqlite-wal'].map((name) => sizeOf(join(folder, name))))
  if (sizes[0] === undefined) return undefined
  const { bavail, bsize } = await statfs(folder)
  const neededBytes = sizes.reduce((sum: number, size) => sum + (size ?? 0), reserveBytes)
  return { neededBytes, freeBytes: bavail * bsize }
}

async function sizeOf(path: string): Promise<number | undefined> {
  return (await ifExists(() => stat(path)))?.size
}

/** Throws `disk_full` where there is too little space for a restore point. */
export async function assertDiskSpace(dataDir: string): Promise<void> {
  const room = await measureDiskSpace(dataDir)
  if (room && room.freeBytes < room.neededBytes) throw notEnoughSpaceError(describeDiskSpace(room))
}

/** @param reason such as "it needs 913 MB, and 200 MB are free" */
export function notEnoughSpaceError(reason: string, cause?: unknown): AppError {
  return new AppError('disk_full', `There is no room for the restore point that the upgrade makes first: ${reason}.`, {
    help: 'Free room on the disk of DATA_DIR. Nothing was changed: the older Awaz starts again as before.',
    cause,
  })
}

export function describeDiskSpace({ neededBytes, freeBytes }: DiskSpace): string {
  return `it needs ${Math.ceil(neededBytes / 1e6)} MB, and ${Math.floor(freeBytes / 1e6)} MB are free`
}
