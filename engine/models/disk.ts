import { mkdir, statfs } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { awazCommand } from '#data/awaz-command.ts'
import { isDiskFull } from '#data/disk-full.ts'

/** Space kept free for everything else that writes to this disk. */
const reserveBytes = 256 * 1024 * 1024

const reasons: Record<string, string> = {
  EACCES: 'this user has no right to write there',
  EPERM: 'this user has no right to write there',
  EROFS: 'it is read-only',
  ENOTDIR: 'a part of that path is a file',
  ENOENT: 'it cannot be made',
}

/**
 * Throws `disk_full` if `neededBytes` and a reserve do not fit on the disk of `folder`; call it before anything is written.
 */
export async function assertFreeSpace(folder: string, neededBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const freeBytes = bavail * bsize
  if (neededBytes + reserveBytes <= freeBytes) return
  throw diskFullError(
    `${folder} has ${megabytes(freeBytes)} free, and ${megabytes(neededBytes)} with a reserve of ${megabytes(reserveBytes)} are needed.`,
  )
}

/** Throws `unavailable` if a file does not have as many bytes as were written to it. */
export async function assertSize(file: FileHandle, path: string, expectedBytes: number): Promise<void> {
  const { size } = await file.stat()
  if (size === expectedBytes) return
  throw new AppError('unavailable', `${path} has ${size} bytes instead of the ${expectedBytes} that were written.`, {
    help: 'Check its disk, and try again.',
  })
}

/** Creates the parent folder of a file. */
export async function createParentFolder(path: string): Promise<void> {
  await withDiskErrors(dirname(path), () => mkdir(dirname(path), { recursive: true }))
}

/** Runs a write to `path` and translates errors, such as a full or read-only disk, into AppErrors. */
export async function withDiskErrors<Value>(path: string, write: () => Promise<Value>): Promise<Value> {
  try {
    return await write()
  } catch (error) {
    throw toDiskError(path, error) ?? error
  }
}

function toDiskError(path: string, error: unknown): AppError | undefined {
  if (isDiskFull(error)) return diskFullError(`The disk of ${path} is full.`)
  if (!(error instanceof Error) || !('code' in error)) return undefined
  const reason = reasons[String(error.code)]
  if (!reason) return undefined
  return new AppError('unavailable', `${path} cannot be written: ${reason}.`, {
    help: 'Give the user that Awaz runs as the right to write there, or set MODELS_DIR to another folder.',
    cause: error,
  })
}

function diskFullError(message: string): AppError {
  return new AppError('disk_full', message, {
    help: `Make room, remove a model (${awazCommand} models remove ID), or set MODELS_DIR to a folder on another disk.`,
  })
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`
}
