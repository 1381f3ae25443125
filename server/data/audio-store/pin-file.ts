import { randomUUID } from 'node:crypto'
import { link, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '../if-exists.ts'

export interface PinnedFile {
  path: string
  release: () => Promise<void>
}

/** Gives a file a second name on its volume, readable after the first is removed. Throws ENOENT where there is no file. */
export async function pinFile(
  path: string,
  { folder, extension }: { folder: string; extension: string },
): Promise<PinnedFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const held = join(folder, `${randomUUID()}.${extension}`)
  // Without hard links the file is used under its own name.
  if (!(await linkFile(path, held))) return { path, release: async () => undefined }
  return { path: held, release: () => rm(held, { force: true }) }
}

/** Creates a hard link. Returns false on a file system without hard links. */
export async function linkFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EMLINK' || code === 'ENOSYS') return false
    throw error
  }
}

/** Deletes the files of a folder last written or linked before a time: a second name shares the times of its file. */
export async function removeFilesOlder(folder: string, before: Date): Promise<void> {
  for (const name of (await ifExists(() => readdir(folder))) ?? []) {
    const path = join(folder, name)
    const info = await ifExists(() => stat(path)) // deleted in the meantime
    if (info && info.ctime < before) await rm(path, { force: true })
  }
}
