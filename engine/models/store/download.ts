import { createWriteStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { awazCommand } from '#data/awaz-command.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import { assertFreeSpace, withDiskErrors } from '../disk.ts'
import { openDownload } from './open-download.ts'
import type { OpenedDownload } from './open-download.ts'
import type { ProxyEnvironment } from './proxy.ts'

export interface DownloadOptions {
  /** Exact size; null when unknown. */
  sizeBytes: number | null
  /** Whether the hash is known and checked afterwards, so that a download can be resumed even without an ETag. */
  isHashKnown: boolean
  env: ProxyEnvironment
  signal?: AbortSignal
  onProgress?: (done: number, total: number | null) => void
  /** Pause before the first retry, which doubles; 1 s by default. */
  retryMs?: number
  /** 60 s by default. */
  idleMs?: number
}

const maxFailuresWithoutProgress = 5
const permanentErrors: Record<number, string> = {
  401: 'it asks for an account (401)',
  403: 'it refuses access (403)',
  404: 'there is no such file (404)',
  410: 'the file was removed (410)',
}

/** State beside a partial file, which is resumed only from the same address and the same version. */
const DownloadState = z.object({ address: z.string(), etag: z.string().nullable() })

/**
 * Downloads an address into `path`, resuming an earlier attempt, and reconnects when the connection is lost. Returns the metadata that
 * the hub sent. The caller checks the content.
 *
 * @throws AppError `unavailable` with the reason, `disk_full`, or `job_cancelled`; the partial file is kept
 */
export async function download(
  address: string,
  path: string,
  options: DownloadOptions,
): Promise<OpenedDownload['hubMetadata']> {
  const { signal, retryMs = 1000 } = options
  let failures = 0
  for (;;) {
    const before = await sizeOf(path)
    try {
      return await transfer(address, path, options)
    } catch (error) {
      if (signal?.aborted) throw cancellationError(signal)
      if (error instanceof AppError) throw error
      failures = (await sizeOf(path)) > before ? 1 : failures + 1
      if (failures >= maxFailuresWithoutProgress) throw toRetriesExhaustedError(address, error, await sizeOf(path))
      await delay(retryMs * 2 ** (failures - 1), undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Deletes a partial file and its state. */
export async function discardDownload(path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(statePath(path), { force: true })
}

function statePath(path: string): string {
  return `${path}.json`
}

async function transfer(
  address: string,
  path: string,
  options: DownloadOptions,
): Promise<OpenedDownload['hubMetadata']> {
  const { env, signal, onProgress, idleMs = 60_000 } = options
  const begun = await readDownloadState(address, path, options)
  const headers: Record<string, string> = {}
  if (begun.bytes > 0) headers.range = `bytes=${begun.bytes}-`
  if (begun.bytes > 0 && begun.etag) headers['if-range'] = begun.etag
  const { response, hubMetadata } = await openDownload(address, { headers, env, idleMs, signal })
  const { statusCode = 0 } = response
  if (statusCode !== 200 && statusCode !== 206) {
    response.destroy()
    if (statusCode === 416) await discardDownload(path)
    throw toHttpError(address, statusCode)
  }
  const from = statusCode === 206 ? begun.bytes : 0
  const total = readTotal(response, from)
  if (total === 'wrong_range') {
    response.destroy()
    await discardDownload(path)
    throw new Error('the server sent another range than requested')
  }
  try {
    assertSize(address, hubMetadata.sizeBytes ?? total, options.sizeBytes)
    const expected = options.sizeBytes ?? hubMetadata.sizeBytes ?? total
    if (expected !== null) await assertFreeSpace(dirname(path), Math.max(0, expected - from))
    const etag = response.headers.etag
    // A weak ETag means equivalence, not the same bytes (RFC 9110, section 8.8.3).
    const kept = { address, etag: etag && !etag.startsWith('W/') ? etag : null }
    await withDiskErrors(path, () => writeFile(statePath(path), JSON.stringify(kept)))
    await withDiskErrors(path, () =>
      pipeline(
        response,
        limitBytes(address, from, expected, (done) => onProgress?.(done, expected)),
        createWriteStream(path, { flags: from > 0 ? 'a' : 'w' }),
        { signal },
      ),
    )
    const bytes = await sizeOf(path)
    if (expected !== null && bytes < expected) throw new Error(`the server sent ${bytes} of ${expected} bytes`)
    return hubMetadata
  } finally {
    response.destroy()
  }
}

/** Returns the number of bytes that can be kept when this download is resumed, and their ETag. */
async function readDownloadState(
  address: string,
  path: string,
  { sizeBytes, isHashKnown }: DownloadOptions,
): Promise<{ bytes: number; etag: string | null }> {
  const bytes = await sizeOf(path)
  const text = await readFile(statePath(path), 'utf8').catch(() => '{}')
  const begun = DownloadState.safeParse(parseJson(text)).data
  const isSame = begun?.address === address && (begun.etag !== null || isHashKnown)
  if (!isSame || (sizeBytes !== null && bytes >= sizeBytes)) return { bytes: 0, etag: null }
  return { bytes, etag: begun.etag }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the full file size from the response headers, null if unknown, or `wrong_range` if the range is not the one requested. */
function readTotal({ statusCode, headers }: OpenedDownload['response'], from: number): number | null | 'wrong_range' {
  if (statusCode === 200) return headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  if (Number(start) !== from) return 'wrong_range'
  return total === '*' || total === undefined ? null : Number(total)
}

function assertSize(address: string, offered: number | null, wanted: number | null): void {
  if (offered === null || wanted === null || offered === wanted) return
  throw new AppError(
    'unavailable',
    `${address} offers ${offered} bytes, and the catalogue names ${wanted}: it is another file.`,
    {
      help: `Download the file you want by hand and bring it in with ${awazCommand} models import FILE.`,
    },
  )
}

/** Counts the bytes that pass through, and fails where there are more than expected. */
function limitBytes(
  address: string,
  from: number,
  expected: number | null,
  onBytes: (done: number) => void,
): Transform {
  let done = from
  return new Transform({
    transform(chunk: Buffer, _, callback) {
      done += chunk.length
      if (expected !== null && done > expected) {
        callback(new AppError('unavailable', `${address} sends more than the ${expected} bytes of the file.`))
        return
      }
      onBytes(done)
      callback(null, chunk)
    },
  })
}

function toHttpError(address: string, statusCode: number): Error {
  const reason = permanentErrors[statusCode]
  if (!reason && (statusCode >= 500 || [408, 416, 425, 429].includes(statusCode))) {
    return new Error(`the server responds with ${statusCode}`)
  }
  return new AppError(
    'unavailable',
    `${address} cannot be downloaded: ${reason ?? `the server responds with ${statusCode}`}.`,
    { help: `Get the file by other means and bring it in with ${awazCommand} models import FILE.` },
  )
}

function toRetriesExhaustedError(address: string, error: unknown, bytes: number): AppError {
  const reason = error instanceof Error ? error.message : String(error)
  const resumed = bytes > 0 ? ` The download will resume after the ${bytes} bytes that are here.` : ''
  return new AppError('unavailable', `${address} could not be downloaded: ${reason}.`, {
    help: `Check whether this machine reaches it (HTTPS_PROXY, MODELS_MIRROR), then try again.${resumed}`,
    cause: error,
  })
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}
