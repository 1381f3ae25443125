import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { open } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import { maxUploadPartBytes } from '#contract/endpoints/models.ts'
import type { ModelImport } from '#contract/entities/model-operation.ts'
import { isDiskFull } from '#data/disk-full.ts'
import { type ImportFolder, nameTaken } from './import-folder.ts'
import { openUploadStore, sizeOf, type UploadManifest } from './upload-store.ts'

/**
 * Appends a part to a file and returns the new size. If the part is interrupted, truncates the file again so that the part can be resent.
 */
async function appendPart(
  path: string,
  offset: number,
  { body, maxBytes }: { body: Readable; maxBytes: number },
): Promise<number> {
  const handle = await open(path, 'a')
  let end = offset
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      if (!Buffer.isBuffer(chunk)) throw new TypeError('A body is a stream of bytes')
      end += chunk.length
      if (end - offset > maxBytes) throw partTooLarge(maxBytes)
      await handle.appendFile(chunk)
    }
    await handle.datasync()
    return end
  } catch (error) {
    await handle.truncate(offset)
    body.resume()
    throw toUploadFailure(error)
  } finally {
    await handle.close()
  }
}

function partTooLarge(maxBytes: number): AppError {
  return new AppError(
    'upload_too_large',
    `This part is larger than the ${maxBytes} bytes that the file may still bring.`,
  )
}

function toUploadFailure(error: unknown): unknown {
  if (!isDiskFull(error)) return error
  return new AppError('disk_full', 'The server has no room left for this model.', {
    help: 'Make room on the volume of MODELS_DIR and send the part again.',
    cause: error,
  })
}

/** An upload that has received nothing for this long counts as abandoned. */
const abandonedAfterMs = 60 * 60_000

interface PartTarget {
  id: string
  /** Index of the file in the upload. */
  file: number
  offset: number
}

/**
 * Opens the model uploads in progress, in `import/.uploads`. Complete files move into the import folder in one rename, so that nobody sees
 * a partial one. All state is on disk, so an upload can resume after a restart.
 */
export function openModelUploads(folder: ImportFolder) {
  const store = openUploadStore(join(folder.path, '.uploads'))
  /** Paths to which a part is being written. */
  const busyPaths = new Set<string>()

  async function begin(manifest: UploadManifest): Promise<string> {
    assertDistinct(manifest.files)
    const problem = await folder.findProblem()
    if (problem) throw new AppError('conflict', `Nothing can be written to ${folder.path}: ${problem}.`)
    if ((await folder.list()).some(({ name }) => name === manifest.name)) throw nameTaken(manifest.name)
    const bytes = manifest.files.reduce((sum, file) => sum + file.size_bytes, 0)
    assertFits(bytes, (await folder.freeBytes()) - (await store.countMissingBytes()), folder.path)
    return store.create(manifest)
  }

  /** Appends a part to a file, completely or not at all. Returns how many bytes of the file have arrived. */
  async function receivePart({ id, file: index, offset }: PartTarget, body: Readable): Promise<number> {
    const file = (await store.read(id)).files[index]
    if (!file) throw new AppError('not_found', 'This upload has no such file.')
    const path = store.pathOf(id, file.path)
    if (busyPaths.has(path)) throw new AppError('conflict', 'Another part of this file is on its way.')
    busyPaths.add(path)
    try {
      const received = await sizeOf(path)
      if (received !== offset) {
        throw new AppError('conflict', `The next part of ${file.path} begins at ${received}, not at ${offset}.`)
      }
      const missing = file.size_bytes - offset
      // Others may have filled the disk in the meantime.
      assertFits(missing, await folder.freeBytes(), folder.path)
      const end = await appendPart(path, offset, { body, maxBytes: Math.min(maxUploadPartBytes, missing) })
      await store.touch(id)
      return end
    } finally {
      busyPaths.delete(path)
    }
  }

  async function finish(id: string): Promise<ModelImport> {
    const { name, files } = await store.read(id)
    for (const { path, size_bytes } of files) {
      const size = await sizeOf(store.pathOf(id, path))
      if (size === size_bytes) continue
      throw new AppError('conflict', `${path} is not whole: ${size} of ${size_bytes} bytes are here.`)
    }
    const added = await folder.add(store.filesOf(id), name)
    await store.remove(id)
    return added
  }

  /** Deletes an upload. Returns the name that it would have been given. Throws `not_found`. */
  async function abandon(id: string): Promise<string> {
    const { name } = await store.read(id)
    await store.remove(id)
    return name
  }

  return { begin, receivePart, finish, abandon, removeAbandoned: () => store.removeInactive(abandonedAfterMs) }
}

/** Throws `disk_full`, stating both sizes. */
function assertFits(bytes: number, freeBytes: number, folder: string): void {
  if (bytes <= freeBytes) return
  const free = gigabytes(Math.max(0, freeBytes))
  throw new AppError('disk_full', `There is no room for ${gigabytes(bytes)}: ${free} are free.`, {
    help: `Make room on the volume of ${folder}, or remove models that nothing uses.`,
  })
}

/** Throws `conflict`: names that differ only in case are the same file on some file systems, and a file cannot also be a folder. */
function assertDistinct(files: { path: string }[]): void {
  const paths = files.map(({ path }) => path.toLowerCase())
  const hasCollision = paths.some(
    (path, index) => paths.indexOf(path) !== index || paths.some((other) => other.startsWith(`${path}/`)),
  )
  if (hasCollision) throw new AppError('conflict', 'Two files of this upload have the same name.')
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}
