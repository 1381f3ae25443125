import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Large, because a file system may have room for a file name but not for a database page. */
const probeBytes = 256 * 1024

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'the folder cannot be written',
  EPERM: 'the folder cannot be written',
  ENOENT: 'the folder is missing',
  ENOTDIR: 'the folder is a file',
  EEXIST: 'the folder is a file',
  EIO: 'the disk does not work',
  EUCLEAN: 'the file system is damaged',
}

/**
 * Returns why a folder cannot be written, in words for an operator; undefined when it can. Writes a file, flushes it to the disk and
 * removes it, because free bytes and permissions do not reveal a broken file system. Creates the folder if it is missing.
 */
export async function findDiskProblem(folder: string): Promise<string | undefined> {
  const path = join(folder, `.readiness-${randomUUID()}`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeThrough(path)
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return reasons[code] ?? `it cannot be written (${code || 'no reason given'})`
  } finally {
    await rm(path, { force: true }).catch(() => undefined)
  }
}

async function writeThrough(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(Buffer.alloc(probeBytes))
    await file.sync()
  } finally {
    await file.close()
  }
}
