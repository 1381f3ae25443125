import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncPath } from '../durable-files.ts'
import type { AudioFile, AudioStore, PendingAudio, ReceiveLimits } from './audio-store.ts'
import { snapshotFolder } from './audio-snapshot.ts'
import { toStoreFailure } from './store-failure.ts'
import { tooLargeError } from './upload-errors.ts'
import { openUploadFiles } from './upload-files.ts'

/** Left free on the volume for the database, logs and the engine's temporary files: 512 MiB. */
const reserveBytes = 512 * 1024 * 1024

/**
 * Opens a store in a folder: `<root>/<last two digits of the id>/<id>.<extension>`. Partial files are in `<root>/parts` as `.part`, on
 * the same volume, so that keeping one is a rename; those of resumable uploads in `<root>/uploads`. Quarantined files are in
 * `<root>/orphans`.
 */
export async function openDiskStore(root: string): Promise<AudioStore> {
  const partsDir = join(root, 'parts')
  const makeFolders = () => mkdir(partsDir, { recursive: true, mode: 0o700 })
  await makeFolders()
  const pathOf = ({ id, extension }: AudioFile) => join(root, id.slice(-2), `${id}.${extension}`)

  return {
    async receive(stream, { id, extension, ...limits }) {
      const partPath = join(partsDir, `${id}.part`)
      const abort = () => void stream.destroy(toError(limits.signal?.reason))
      limits.signal?.addEventListener('abort', abort, { once: true })
      try {
        await makeFolders() // somebody may have deleted the folder
        const written = await writePart(stream, partPath, limits)
        return pendingAudio(written, partPath, (kept = extension) => pathOf({ id, extension: kept }))
      } catch (error) {
        stream.resume()
        await rm(partPath, { force: true }).catch(() => undefined) // the folder is missing, or no folder
        throw toStoreFailure(error)
      } finally {
        limits.signal?.removeEventListener('abort', abort)
      }
    },
    async size(file) {
      const info = await stat(pathOf(file)).catch(() => null)
      return info?.size ?? null
    },
    read: (file, range) => createReadStream(pathOf(file), range),
    open: async (file) => ({ path: pathOf(file), release: async () => undefined }),
    remove: async (file) => rm(pathOf(file), { force: true }),
    async *listOlder(before) {
      for (const shard of await readdir(root)) {
        if (!/^[0-9a-f]{2}$/.test(shard)) continue
        const names = await namesOlder(join(root, shard), before)
        const files = names.flatMap((name) => parseName(name) ?? [])
        if (files.length > 0) yield files
      }
    },
    async quarantine(file) {
      const folder = join(root, 'orphans')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await rename(pathOf(file), join(folder, `${file.id}.${file.extension}`))
    },
    countPartsOlder: async (before) => (await namesOlder(partsDir, before)).length,
    async removePartsOlder(before) {
      const names = await namesOlder(partsDir, before)
      for (const name of names) await rm(join(partsDir, name), { force: true })
      await removeAbandonedSnapshot(root, before)
      return names.length
    },
    async freeBytes() {
      try {
        await makeFolders()
        const { bavail, bsize } = await statfs(root)
        return Math.max(0, bavail * bsize - reserveBytes)
      } catch (error) {
        throw toStoreFailure(error)
      }
    },
    uploads: openUploadFiles(root, pathOf),
    async check() {
      await makeFolders()
      await access(partsDir, constants.W_OK)
    },
  }
}

/** What a killed backup linked. */
async function removeAbandonedSnapshot(root: string, before: Date): Promise<void> {
  const folder = join(root, snapshotFolder)
  const info = await stat(folder).catch(() => null)
  if (info && info.mtime < before) await rm(folder, { recursive: true, force: true })
}

async function namesOlder(folder: string, before: Date): Promise<string[]> {
  const names: string[] = []
  for (const name of await readdir(folder)) {
    const info = await stat(join(folder, name)).catch(() => null) // deleted in the meantime
    if (info?.isFile() && info.mtime < before) names.push(name)
  }
  return names
}

function parseName(name: string): AudioFile | undefined {
  const [, id, extension] = /^([0-9a-f]{24})\.([a-z0-9]+)$/.exec(name) ?? []
  return id && extension ? { id, extension } : undefined
}

async function writePart(
  stream: Readable,
  path: string,
  { maxBytes, signal, onReceived }: ReceiveLimits,
): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    // Destroying the stream here would send the client an error before ours is sent and the file is deleted.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      signal?.throwIfAborted()
      if (!Buffer.isBuffer(chunk)) throw new TypeError('An upload is a stream of bytes')
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw tooLargeError(maxBytes)
      await onReceived?.(sizeBytes)
      hash.update(chunk)
      await writeAll(file, chunk)
    }
    signal?.throwIfAborted()
    await file.sync()
  } finally {
    await file.close()
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

async function writeAll(file: FileHandle, chunk: Buffer) {
  for (let at = 0; at < chunk.length;) at += (await file.write(chunk, at)).bytesWritten
}

function pendingAudio(
  written: { sizeBytes: number; sha256: string },
  partPath: string,
  finalPathOf: (extension?: string) => string,
): PendingAudio {
  let finalPath = finalPathOf()
  return {
    ...written,
    path: partPath,
    async keep(extension) {
      finalPath = finalPathOf(extension)
      await mkdir(dirname(finalPath), { recursive: true, mode: 0o700 })
      await rename(partPath, finalPath)
      await syncPath(dirname(finalPath))
      // The folder may be new itself.
      await syncPath(dirname(dirname(finalPath)))
    },
    async discard() {
      await rm(partPath, { force: true })
      await rm(finalPath, { force: true })
    },
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The upload was stopped')
}
