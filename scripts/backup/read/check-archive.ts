import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import { isKnownPath } from '../format/known-paths.ts'
import {
  BackupManifest,
  endFile,
  manifestFile,
  maxManifestBytes,
  maxPartBytes,
  type BackupFile,
} from '../format/manifest.ts'
import { readBounded } from './bounded.ts'
import { parseJson, readArchive, type ArchiveOptions } from './read-archive.ts'

export interface CheckedArchive {
  manifest: BackupManifest
  /** Master key of the instance, which opens the files beside the archive. */
  masterKey: Buffer
}

export const masterKeyFile = 'data/secrets/master-key'
const maxMasterKeyBytes = 1024

/**
 * Reads a whole archive and compares every file in it with its manifest. Files in `blobs` are not read.
 *
 * @throws AppError as readArchive does; `invalid_input` where a file differs, is missing or is not listed
 */
export async function checkArchive(options: ArchiveOptions): Promise<CheckedArchive> {
  const found = new Map<string, { sizeBytes: number; sha256: string }>()
  let manifest: BackupManifest | undefined
  let masterKey: Buffer | undefined
  await readArchive(options, async (path, content) => {
    if (path === endFile) return void (await hashContent(content))
    if (path === manifestFile)
      return void (manifest = parseManifest(options.path, await readBounded(content, maxManifestBytes)))
    assertKnownPath(options.path, path)
    if (path === masterKeyFile) {
      const text = await readBounded(content, maxMasterKeyBytes)
      masterKey = Buffer.from(text.toString().trim(), 'base64')
      found.set(path, { sizeBytes: text.length, sha256: createHash('sha256').update(text).digest('hex') })
    } else found.set(path, await hashContent(content, path.startsWith('database/') ? maxPartBytes : Infinity))
  })
  if (!manifest) throw damaged(options.path, 'its manifest is missing')
  for (const file of manifest.files) assertListed(options.path, file, found)
  const listed = new Set(manifest.files.map(({ path }) => path))
  const extra = [...found.keys()].find((path) => !listed.has(path))
  if (extra) throw damaged(options.path, `${extra} is not in its manifest`)
  if (!masterKey) throw damaged(options.path, `${masterKeyFile} is missing`)
  return { manifest, masterKey }
}

function parseManifest(archive: string, text: Buffer): BackupManifest {
  const parsed = BackupManifest.safeParse(parseJson(text))
  if (!parsed.success) throw damaged(archive, 'its manifest cannot be read')
  for (const { path } of parsed.data.files) assertKnownPath(archive, path)
  return parsed.data
}

function assertKnownPath(archive: string, path: string): void {
  if (isKnownPath(path)) return
  throw damaged(archive, `it holds a file of an unknown place, ${path}`)
}

function assertListed(
  archive: string,
  { path, blob, sizeBytes, sha256 }: BackupFile,
  found: ReadonlyMap<string, { sizeBytes: number; sha256: string }>,
): void {
  if (blob !== undefined) return
  const file = found.get(path)
  if (!file) throw damaged(archive, `${path} is missing`)
  if (file.sizeBytes !== sizeBytes || file.sha256 !== sha256) throw damaged(archive, `${path} has changed`)
}

async function hashContent(content: Readable, maxBytes = Infinity): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw new Error('it holds a file that is too large')
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

function damaged(archive: string, reason: string): AppError {
  return new AppError('invalid_input', `${archive} is damaged: ${reason}.`)
}
