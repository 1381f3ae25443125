import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { isDiskFull } from '#data/disk-full.ts'
import { syncPath } from '#data/durable-files.ts'

export const partSuffix = '.part'

export interface StoredFile {
  sizeBytes: number
  sha256: string
}

interface WriteOptions {
  /** Holds the file until it is complete; must be on the same volume as the final path. */
  folder: string
  content: AsyncIterable<Uint8Array>
  /** Returns the final path once the content has been read; undefined discards the file. */
  pathOf: (stored: StoredFile) => Promise<string | undefined> | string
}

/**
 * Writes a private file (0600) under a temporary name, and renames it once it is on disk: a file with the final name is always complete.
 * Leaves nothing behind if reading the content fails.
 *
 * @throws AppError `disk_full` where the disk or its quota is used up
 */
export async function writeDurably({ folder, content, pathOf }: WriteOptions): Promise<StoredFile> {
  await makeFolder(folder)
  const draft = join(folder, `${randomUUID()}${partSuffix}`)
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(draft, 'wx', 0o600)
  try {
    try {
      for await (const bytes of content) {
        hash.update(bytes)
        sizeBytes += bytes.length
        for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at)).bytesWritten
      }
      await file.sync()
    } finally {
      await file.close()
    }
    const stored = { sizeBytes, sha256: hash.digest('hex') }
    const path = await pathOf(stored)
    if (path === undefined) return stored
    await makeFolder(dirname(path))
    await rename(draft, path)
    await syncPath(dirname(path))
    return stored
  } catch (error) {
    throw isDiskFull(error) ? diskFullError(folder, error) : error
  } finally {
    await rm(draft, { force: true })
  }
}

function diskFullError(folder: string, cause: unknown): AppError {
  return new AppError('disk_full', `The disk of ${folder} is full.`, {
    help: 'Make room there, then try again: files that were copied whole are not copied again.',
    cause,
  })
}

/** Creates a folder (0700) and its missing parents, and syncs the parent of each new folder. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let at = path; at.length >= first.length; at = dirname(at)) await syncPath(dirname(at))
}
