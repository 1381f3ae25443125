import { spawn } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { AppError } from '#contract/app-error.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import { readContentKind } from '../../content-kind.ts'
import { withDiskErrors } from '../../disk.ts'
import type { StoreOptions } from '../store-options.ts'
import type { ExtractFile } from './extract-file.ts'
import { readTar } from './tar.ts'
import { readZip } from './zip.ts'

const maxFiles = 10_000
/** Weights hardly compress: an archive with a higher ratio is designed to fill the disk. */
const maxCompressionRatio = 50
const smallBytes = 64 * 1024 * 1024
const reserveBytes = 256 * 1024 * 1024

/**
 * Extracts a ZIP, tar, tar.gz or tar.bz2 archive to the new folder `folder`. Only regular files are extracted: no links, no devices, no
 * path outside the folder, and never more bytes than the disk or the compression ratio allow.
 *
 * @throws AppError `model_unavailable` if the archive is damaged or dangerous
 */
export async function unpack(archive: string, folder: string, { signal, onProgress }: StoreOptions): Promise<void> {
  await withDiskErrors(folder, () => mkdir(folder, { recursive: true }))
  const { size } = await stat(archive)
  const { bavail, bsize } = await statfs(folder)
  const room = Math.min(Math.max(size * maxCompressionRatio, smallBytes), bavail * bsize - reserveBytes)
  let unpacked = 0
  let files = 0
  const extractFile: ExtractFile = async (name, content) => {
    if (++files > maxFiles) throw refused(archive, `it holds more than ${maxFiles} files`)
    const path = join(folder, requireSafeName(archive, name))
    await mkdir(dirname(path), { recursive: true })
    const meter = new Transform({
      transform(chunk: Buffer, _, callback) {
        unpacked += chunk.length
        onProgress?.({ stage: 'unpack', done: unpacked, total: null })
        if (unpacked <= room) callback(null, chunk)
        else callback(refused(archive, `it unpacks to more than ${room} bytes, which is more than there is room for`))
      },
    })
    await withDiskErrors(path, () => pipeline(content, meter, createWriteStream(path, { flags: 'wx' }), { signal }))
  }
  try {
    await read(archive, extractFile, signal)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (signal?.aborted) throw cancellationError(signal)
    if (error instanceof AppError) throw error
    throw refused(archive, `it is damaged (${error instanceof Error ? error.message : String(error)})`)
  }
}

async function read(archive: string, extractFile: ExtractFile, signal: AbortSignal | undefined): Promise<void> {
  const kind = await readContentKind(archive)
  if (kind === 'zip') return readZip(archive, extractFile)
  if (kind === 'bzip2') return readBzip2(archive, extractFile, signal)
  const source = createReadStream(archive, { signal })
  try {
    if (kind === 'tar') return await readTar(source, extractFile)
    const unzipped = createGunzip()
    await Promise.all([pipeline(source, unzipped), readTar(unzipped, extractFile)])
  } finally {
    // Otherwise a stream that is not read to its end stays open and occupies disk space after the file is deleted.
    source.destroy()
  }
}

/** Uses the bzip2 command, because Node has no bzip2. */
async function readBzip2(archive: string, extractFile: ExtractFile, signal: AbortSignal | undefined): Promise<void> {
  const child = spawn('bzip2', ['-dc', archive], { stdio: ['ignore', 'pipe', 'ignore'], signal })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT'
      reject(isMissing ? refused(archive, 'there is no bzip2 on this machine to unpack it with') : error)
    })
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error('bzip2 cannot read it'))))
  })
  await Promise.all([ended, readTar(child.stdout, extractFile)]).finally(() => child.kill())
}

function requireSafeName(archive: string, name: string): string {
  const parts = name.replaceAll('\\', '/').split('/')
  const isSafe = !name.startsWith('/') && !/^[a-z]:/iu.test(name) && !parts.includes('..') && !name.includes('\0')
  if (isSafe && name !== '') return parts.filter((part) => part !== '' && part !== '.').join('/')
  throw refused(archive, `it holds a file whose name leads out of its folder: ${JSON.stringify(name)}`)
}

function refused(archive: string, reason: string): AppError {
  return new AppError('model_unavailable', `The archive ${archive} cannot be unpacked: ${reason}.`, {
    help: 'Unpack it by hand and import the folder.',
  })
}
