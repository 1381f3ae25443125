import { createReadStream, constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from '../durable-files.ts'
import { ifExists } from '../if-exists.ts'
import { hashFile } from '../hash-file.ts'
import type { AudioFile, AudioStore, PendingAudio, UploadFiles } from './audio-store.ts'
import { snapshotFolder } from './audio-snapshot.ts'
import { pinFile, removeFilesOlder, linkFile } from './pin-file.ts'
import { fileSink, receiveStream } from './receive-stream.ts'
import { toStoreFailure } from './store-failure.ts'
import { appendStream } from './append-stream.ts'

/** Left free on the volume for the database, logs and the engine's temporary files: 512 MiB. */
const reserveBytes = 512 * 1024 * 1024

/**
 * Opens a store in a folder: `<root>/<last two digits of the id>/<id>.<extension>`. Partial files are in `<root>/parts` as `.part`, on
 * the same volume, so that keeping one is a rename; those of resumable uploads in `<root>/uploads`. Quarantined files are in
 * `<root>/orphans`; `<root>/open` holds second names of files that a program has open.
 */
export async function openDiskStore(root: string): Promise<AudioStore> {
  const partsDir = join(root, 'parts')
  const openDir = join(root, 'open')
  const makeFolders = () => mkdir(partsDir, { recursive: true, mode: 0o700 })
  await makeFolders()
  const pathOf = ({ id, extension }: AudioFile) => join(root, id.slice(-2), `${id}.${extension}`)

  return {
    async receive(stream, { id, extension, ...limits }) {
      const partPath = join(partsDir, `${id}.part`)
      try {
        const written = await receiveStream(stream, limits, async () => {
          await makeFolders() // the folder may have been deleted
          return fileSink(await open(partPath, 'wx', 0o600))
        })
        return pendingAudio(written, partPath, (kept = extension) => pathOf({ id, extension: kept }))
      } catch (error) {
        await rm(partPath, { force: true }).catch(() => undefined) // the folder is missing, or not a folder
        throw toStoreFailure(error)
      }
    },
    async size(file) {
      const info = await stat(pathOf(file)).catch(() => null)
      return info?.size ?? null
    },
    read: async (file, range) => createReadStream(pathOf(file), range),
    async open(file) {
      const path = pathOf(file)
      const held = await ifExists(() => pinFile(path, { folder: openDir, extension: file.extension }))
      return held ?? { path, release: async () => undefined } // the reader reports that it is missing
    },
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
    countQuarantined: async () => (await ifExists(() => readdir(join(root, 'orphans'))))?.length ?? 0,
    countPartsOlder: async (before) => (await namesOlder(partsDir, before)).length,
    async removePartsOlder(before) {
      const names = await namesOlder(partsDir, before)
      for (const name of names) await rm(join(partsDir, name), { force: true })
      await removeFilesOlder(openDir, before)
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
  }
}

/** Removes the links that a killed backup left. */
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

/** Opens the files of resumable uploads in `<root>/uploads`, on the recordings' volume, so that keeping a file copies nothing. */
function openUploadFiles(root: string, pathOf: (file: AudioFile) => string): UploadFiles {
  const folder = join(root, 'uploads')
  const partPathOf = (id: string) => join(folder, `${id}.part`)

  return {
    size: async (id) => (await ifExists(() => stat(partPathOf(id))))?.size ?? 0,
    async append(id, stream, options) {
      async function openSink() {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = await open(partPathOf(id), constants.O_RDWR | constants.O_CREAT, 0o600)
        await file.truncate(options.offset)
        return fileSink(file, options.offset)
      }
      try {
        await appendStream(stream, options, openSink)
      } catch (error) {
        options.signal.throwIfAborted()
        throw toStoreFailure(error)
      }
    },
    async open({ id, extension }) {
      const path = partPathOf(id)
      return keepable(path, await hashFile(path), (kept = extension) => pathOf({ id, extension: kept }))
    },
    remove: (id) => rm(partPathOf(id), { force: true }),
    async list() {
      const names = (await ifExists(() => readdir(folder))) ?? []
      return names.flatMap((name) => /^([0-9a-f]{24})\.part$/.exec(name)?.[1] ?? [])
    },
  }
}

function keepable(
  partPath: string,
  hashed: { sizeBytes: number; sha256: string },
  finalPathOf: (extension?: string) => string,
): PendingAudio {
  let finalPath: string | undefined
  let isMoved = false
  return {
    ...hashed,
    path: partPath,
    async keep(extension) {
      finalPath = finalPathOf(extension)
      await mkdir(dirname(finalPath), { recursive: true, mode: 0o700 })
      await rm(finalPath, { force: true }) // left by an attempt that crashed
      isMoved = !(await linkFile(partPath, finalPath))
      if (isMoved) await rename(partPath, finalPath)
      // Old files without a document count as orphans, and this file's document is written next.
      const now = new Date()
      await utimes(finalPath, now, now)
      await syncPath(dirname(finalPath))
      // The folder may be new itself.
      await syncPath(dirname(dirname(finalPath)))
    },
    async discard() {
      if (finalPath === undefined) return
      if (isMoved) await ifExists(() => rename(finalPath ?? '', partPath))
      else await rm(finalPath, { force: true })
    },
  }
}
