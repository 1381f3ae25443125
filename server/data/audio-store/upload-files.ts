import { constants } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, utimes, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { addAbortSignal, PassThrough, type Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import { syncPath } from '../durable-files.ts'
import { hashFile } from '../hash-file.ts'
import { ifExists } from '../if-exists.ts'
import type { AppendOptions, AudioFile, PendingAudio, UploadFiles } from './audio-store.ts'
import { toStoreFailure } from './store-failure.ts'

/** After this many bytes they are written through to the disk and reported: 8 MiB. */
const storedStepBytes = 8 * 1024 * 1024

/** Opens the files of resumable uploads in `<root>/uploads`, on the volume of the recordings, so that keeping one copies nothing. */
export function openUploadFiles(root: string, pathOf: (file: AudioFile) => string): UploadFiles {
  const folder = join(root, 'uploads')
  const partPathOf = (id: string) => join(folder, `${id}.part`)

  return {
    size: async (id) => (await ifExists(() => stat(partPathOf(id))))?.size ?? 0,
    async append(id, stream, options) {
      const body = follow(stream, options.signal)
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const file = await open(partPathOf(id), constants.O_RDWR | constants.O_CREAT, 0o600)
        try {
          await appendStream(file, body, options)
        } finally {
          await file.close()
        }
      } catch (error) {
        options.signal.throwIfAborted()
        throw toStoreFailure(error)
      } finally {
        // Destroying the request itself would close the connection before the response is sent.
        stream.unpipe(body)
        stream.resume()
        body.destroy()
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

/** Passes a stream on until it fails or the signal aborts. */
function follow(stream: Readable, signal: AbortSignal): PassThrough {
  const body = addAbortSignal(signal, new PassThrough())
  body.on('error', () => undefined) // its reader gets the error
  stream.once('error', (error) => body.destroy(error))
  stream.once('close', () => {
    if (!stream.readableEnded) body.destroy(new Error('The connection was closed'))
  })
  return stream.pipe(body)
}

async function appendStream(
  file: FileHandle,
  stream: Readable,
  { offset, maxBytes, signal, onReceived, onStored }: AppendOptions,
): Promise<void> {
  let end = offset
  let stored = offset

  async function store() {
    if (end === stored) return
    await file.datasync()
    stored = end
    await onStored(stored)
  }

  await file.truncate(offset)
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      signal.throwIfAborted()
      onReceived()
      if (!Buffer.isBuffer(chunk)) throw new TypeError('An upload is a stream of bytes')
      if (end + chunk.length > offset + maxBytes) throw partTooLargeError(maxBytes)
      for (let at = 0; at < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, at, chunk.length - at, end)
        at += bytesWritten
        end += bytesWritten
      }
      if (end - stored >= storedStepBytes) await store()
    }
  } catch (error) {
    await store().catch(() => undefined) // the first error says why
    throw error
  }
  await store()
}

/** Returns the refusal of a part with more bytes than its upload lacks. */
export function partTooLargeError(missingBytes: number): AppError {
  return new AppError(
    'upload_too_large',
    `This part is larger than the ${missingBytes} bytes that the file still lacks.`,
  )
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
      isMoved = !(await canLink(partPath, finalPath))
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

/** Gives a file a second name. Returns false on a file system without hard links. */
async function canLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'EMLINK' || code === 'ENOSYS') return false
    throw error
  }
}
