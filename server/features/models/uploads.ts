import { mkdir, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { Types } from 'mongoose'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { uploadPartBytes } from '#contract/endpoints/models.ts'
import { ImportName, UploadFile, type ModelImport } from '#contract/entities/model-operation.ts'
import { nameTaken, type ImportFolder } from './import-folder.ts'

/** An upload that got nothing for so long was given up. */
const abandonedMs = 60 * 60_000

const Manifest = z.object({ name: ImportName, files: z.array(UploadFile) })
type Manifest = z.infer<typeof Manifest>

interface PartTarget {
  id: string
  /** Index of the file in the upload. */
  file: number
  offset: number
}

/**
 * Uploads of models on their way: `import/.uploads/<id>` with a manifest and the files, which move into the import folder in one rename
 * when all of them are whole. Nobody sees half a file. The state is what lies on the disk: an upload goes on after a restart.
 */
export function openModelUploads(folder: ImportFolder) {
  const root = join(folder.path, '.uploads')
  const folderOf = (id: string) => join(root, id)
  const manifestOf = (id: string) => join(folderOf(id), 'manifest.json')
  const fileOf = (id: string, path: string) => join(folderOf(id), 'files', path)
  /** Files that a part is being written to. */
  const inWork = new Set<string>()

  async function readManifest(id: string): Promise<Manifest> {
    const text = await readFile(manifestOf(id), 'utf8').catch(() => undefined)
    if (text === undefined) throw new AppError('not_found', 'This upload is no longer there. Please begin it again.')
    return Manifest.parse(JSON.parse(text))
  }

  async function begin({ name, files }: Manifest): Promise<string> {
    assertDistinct(files)
    const problem = await folder.findProblem()
    if (problem) throw new AppError('conflict', `Nothing can be written to ${folder.path}: ${problem}.`)
    if ((await folder.list()).some((entry) => entry.name === name)) throw nameTaken(name)
    await assertRoom(files.reduce((sum, file) => sum + file.size_bytes, 0))
    const id = new Types.ObjectId().toHexString()
    for (const { path } of files) await mkdir(dirname(fileOf(id, path)), { recursive: true })
    await writeFile(manifestOf(id), JSON.stringify({ name, files }))
    return id
  }

  /** Throws `disk_full` where there is no room beside what other uploads will still bring. */
  async function assertRoom(bytes: number): Promise<void> {
    const promised = await Promise.all((await listIds()).map((id) => countMissing(id).catch(() => 0)))
    assertFits(
      bytes,
      promised.reduce((free, missing) => free - missing, await folder.freeBytes()),
    )
  }

  function assertFits(bytes: number, freeBytes: number): void {
    if (bytes <= freeBytes) return
    const free = gigabytes(Math.max(0, freeBytes))
    throw new AppError('disk_full', `There is no room for ${gigabytes(bytes)}: ${free} are free.`, {
      help: `Make room on the volume of ${folder.path}, or remove models that nothing uses.`,
    })
  }

  async function countMissing(id: string): Promise<number> {
    const { files } = await readManifest(id)
    const sizes = await Promise.all(files.map(({ path }) => sizeOf(fileOf(id, path))))
    return files.reduce((sum, file, index) => sum + Math.max(0, file.size_bytes - (sizes[index] ?? 0)), 0)
  }

  /** Adds a part to a file, whole or not at all. Returns how many bytes of the file there are. */
  async function receivePart({ id, file: index, offset }: PartTarget, body: Readable): Promise<number> {
    const file = (await readManifest(id)).files[index]
    if (!file) throw new AppError('not_found', 'This upload has no such file.')
    const path = fileOf(id, file.path)
    if (inWork.has(path)) throw new AppError('conflict', 'Another part of this file is on its way.')
    inWork.add(path)
    try {
      const received = await sizeOf(path)
      if (received !== offset) {
        throw new AppError('conflict', `The next part of ${file.path} begins at ${received}, not at ${offset}.`)
      }
      // Others may have filled the disk meanwhile.
      assertFits(file.size_bytes - offset, await folder.freeBytes())
      const end = await appendPart(path, offset, {
        body,
        maxBytes: Math.min(uploadPartBytes, file.size_bytes - offset),
      })
      const now = new Date()
      await utimes(manifestOf(id), now, now)
      return end
    } finally {
      inWork.delete(path)
    }
  }

  async function finish(id: string): Promise<ModelImport> {
    const { name, files } = await readManifest(id)
    for (const { path, size_bytes } of files) {
      const size = await sizeOf(fileOf(id, path))
      if (size === size_bytes) continue
      throw new AppError('conflict', `${path} is not whole: ${size} of ${size_bytes} bytes are here.`)
    }
    const placed = await folder.place(join(folderOf(id), 'files'), name)
    await abandon(id)
    return placed
  }

  async function abandon(id: string): Promise<void> {
    await rm(folderOf(id), { recursive: true, force: true })
  }

  /** Deletes uploads that got nothing for an hour. */
  async function removeAbandoned(): Promise<void> {
    for (const id of await listIds()) {
      const info = await stat(manifestOf(id))
        .catch(() => stat(folderOf(id)))
        .catch(() => undefined)
      if (info && Date.now() - info.mtimeMs > abandonedMs) await abandon(id)
    }
  }

  async function listIds(): Promise<string[]> {
    return (await readdir(root).catch(() => [])).filter((name) => /^[0-9a-f]{24}$/.test(name))
  }

  return {
    begin,
    receivePart,
    finish,
    removeAbandoned,
    /** Throws `not_found`. */
    async abandon(id: string): Promise<string> {
      const { name } = await readManifest(id)
      await abandon(id)
      return name
    },
  }
}

export type ModelUploads = ReturnType<typeof openModelUploads>

/** Writes a part to the end of a file. What a part that breaks off has brought is cut away again, so that it can be sent once more. */
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
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return error
  return new AppError('disk_full', 'The server has no room left for this model.', {
    help: 'Make room on the volume of MODELS_DIR and send the part again.',
    cause: error,
  })
}

/** Two names that differ in case alone are one file on some file systems, and a file cannot be a folder too. */
function assertDistinct(files: { path: string }[]): void {
  const paths = files.map(({ path }) => path.toLowerCase())
  const isClash = paths.some(
    (path, index) => paths.indexOf(path) !== index || paths.some((other) => other.startsWith(`${path}/`)),
  )
  if (isClash) throw new AppError('conflict', 'Two files of this upload have the same name.')
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GB`
}
