import { constants } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncPath } from '../durable-files.ts'
import { hashFile } from '../hash-file.ts'
import { ifExists } from '../if-exists.ts'
import { appendStream } from './append-stream.ts'
import type { AudioFile, PendingAudio, UploadFiles } from './audio-store.ts'
import { linkFile } from './pin-file.ts'
import { fileSink } from './receive-stream.ts'
import { toStoreFailure } from './store-failure.ts'

/** Opens the files of resumable uploads in `<root>/uploads`, on the volume of the recordings, so that keeping one copies nothing. */
export function openUploadFiles(root: string, pathOf: (file: AudioFile) => string): UploadFiles {
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
      await rm(finalPath, { force: true }) // of an attempt that a crash ended
      isMoved = !(await linkFile(partPath, finalPath))
      if (isMoved) await rename(partPath, finalPath)
      // Old files without a document count as orphans, and its document is written next.
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
