import { createWriteStream } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import { assertFreeSpace, writing } from './disk.ts'
import { openDownload } from './open-download.ts'
import type { OpenedDownload } from './open-download.ts'
import type { ProxyEnvironment } from './proxy.ts'

export interface DownloadOptions {
  /** Exact size; null when nobody knows. */
  sizeBytes: number | null
  /** Whether a hash is known: what was resumed is then found out at the end, even where a server tells no versions apart. */
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
const hopeless: Record<number, string> = {
  401: 'it asks for an account (401)',
  403: 'it refuses access (403)',
  404: 'there is no such file (404)',
  410: 'the file is gone (410)',
}

/** What belongs to a file that was begun: it is continued only from the same address and the same version. */
const Begun = z.object({ address: z.string(), etag: z.string().nullable() })

/**
 * Downloads an address into `path`, continuing what is there from an earlier attempt; a connection that ends is opened again. Returns
 * what the hub says of the file. What is complete is not yet checked.
 *
 * @throws AppError `unavailable` with the reason, `disk_full`, or `job_cancelled`; what was loaded stays to be continued
 */
export async function download(
  address: string,
  path: string,
  options: DownloadOptions,
): Promise<OpenedDownload['linked']> {
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
      if (failures >= maxFailuresWithoutProgress) throw givenUp(address, error, await sizeOf(path))
      await delay(retryMs * 2 ** (failures - 1), undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Forgets what was begun. */
export async function discardDownload(path: string): Promise<void> {
  await rm(path, { force: true })
  await rm(begunPath(path), { force: true })
}

function begunPath(path: string): string {
  return `${path}.json`
}

async function transfer(address: string, path: string, options: DownloadOptions): Promise<OpenedDownload['linked']> {
  const { env, signal, onProgress, idleMs = 60_000 } = options
  const begun = await readBegun(address, path, options)
  const headers: Record<string, string> = {}
  if (begun.bytes > 0) headers.range = `bytes=${begun.bytes}-`
  if (begun.bytes > 0 && begun.etag) headers['if-range'] = begun.etag
  const { response, linked } = await openDownload(address, { headers, env, idleMs, signal })
  const { statusCode = 0 } = response
  if (statusCode !== 200 && statusCode !== 206) {
    response.destroy()
    if (statusCode === 416) await discardDownload(path)
    throw failureOf(address, statusCode)
  }
  const from = statusCode === 206 ? begun.bytes : 0
  const total = readTotal(response, from)
  if (total === 'elsewhere') {
    response.destroy()
    await discardDownload(path)
    throw new Error('the server sent another part than the one asked for')
  }
  try {
    assertSize(address, linked.sizeBytes ?? total, options.sizeBytes)
    const expected = options.sizeBytes ?? linked.sizeBytes ?? total
    if (expected !== null) await assertFreeSpace(dirname(path), Math.max(0, expected - from))
    const etag = response.headers.etag
    // A weak one says that two files mean the same, not that their bytes are the same (RFC 9110, section 8.8.3).
    const kept = { address, etag: etag && !etag.startsWith('W/') ? etag : null }
    await writing(path, () => writeFile(begunPath(path), JSON.stringify(kept)))
    await writing(path, () =>
      pipeline(
        response,
        limit(address, from, expected, (done) => onProgress?.(done, expected)),
        createWriteStream(path, { flags: from > 0 ? 'a' : 'w' }),
        { signal },
      ),
    )
    const bytes = await sizeOf(path)
    if (expected !== null && bytes < expected) throw new Error(`the server sent ${bytes} of ${expected} bytes`)
    return linked
  } finally {
    response.destroy()
  }
}

/** How many bytes are there already that this address can go on from. */
async function readBegun(
  address: string,
  path: string,
  { sizeBytes, isHashKnown }: DownloadOptions,
): Promise<{ bytes: number; etag: string | null }> {
  const bytes = await sizeOf(path)
  const text = await readFile(begunPath(path), 'utf8').catch(() => '{}')
  const begun = Begun.safeParse(parseJson(text)).data
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

/** The size of the whole file by the answer; null where it does not tell, `elsewhere` for another part than the one asked for. */
function readTotal({ statusCode, headers }: OpenedDownload['response'], from: number): number | null | 'elsewhere' {
  if (statusCode === 200) return headers['content-length'] === undefined ? null : Number(headers['content-length'])
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '') ?? []
  if (Number(start) !== from) return 'elsewhere'
  return total === '*' || total === undefined ? null : Number(total)
}

function assertSize(address: string, offered: number | null, wanted: number | null): void {
  if (offered === null || wanted === null || offered === wanted) return
  throw new AppError(
    'unavailable',
    `${address} offers ${offered} bytes, and the catalogue names ${wanted}: it is another file.`,
    {
      help: 'Download the file you want by hand and bring it in with npm run awaz -- models import FILE.',
    },
  )
}

/** Passes bytes on, counts them, and ends a server that sends more than it should. */
function limit(address: string, from: number, expected: number | null, onBytes: (done: number) => void): Transform {
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

function failureOf(address: string, statusCode: number): Error {
  const reason = hopeless[statusCode]
  if (!reason && (statusCode >= 500 || [408, 416, 425, 429].includes(statusCode))) {
    return new Error(`the server answers ${statusCode}`)
  }
  return new AppError(
    'unavailable',
    `${address} cannot be downloaded: ${reason ?? `the server answers ${statusCode}`}.`,
    { help: 'Get the file by other means and bring it in with npm run awaz -- models import FILE.' },
  )
}

function givenUp(address: string, error: unknown, bytes: number): AppError {
  const reason = error instanceof Error ? error.message : String(error)
  const kept = bytes > 0 ? ` It will go on behind the ${bytes} bytes that are here.` : ''
  return new AppError('unavailable', `${address} could not be downloaded: ${reason}.`, {
    help: `Look whether this machine reaches it (HTTPS_PROXY, MODELS_MIRROR), then try again.${kept}`,
    cause: error,
  })
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  )
}
