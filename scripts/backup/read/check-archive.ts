import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { AppError } from '#contract/app-error.ts'
import { BackupManifest, endFile, manifestFile, type BackupFile } from '../format/manifest.ts'
import { parseJson, readArchive, type ArchiveOptions } from './read-archive.ts'

export interface CheckedArchive {
  manifest: BackupManifest
  /** Of the instance: opens the files beside the archive. */
  masterKey: Buffer
}

export const masterKeyFile = 'data/secrets/master-key'

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
    if (path === endFile) return void (await buffer(content))
    if (path === manifestFile) return void (manifest = parseManifest(options.path, await buffer(content)))
    assertSafePath(options.path, path)
    if (path === masterKeyFile) {
      const text = await buffer(content)
      masterKey = Buffer.from(text.toString().trim(), 'base64')
      found.set(path, { sizeBytes: text.length, sha256: createHash('sha256').update(text).digest('hex') })
    } else found.set(path, await hashContent(content))
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
  for (const { path } of parsed.data.files) assertSafePath(archive, path)
  return parsed.data
}

/** A path is written below a folder, so it must not lead out of it. */
function assertSafePath(archive: string, path: string): void {
  const isKnown = /^(database|data|models)\/./.test(path)
  if (isKnown && !path.split('/').some((part) => part === '..' || part === '.' || part === '')) return
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

async function hashContent(content: Readable): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}

function damaged(archive: string, reason: string): AppError {
  return new AppError('invalid_input', `${archive} is damaged: ${reason}.`)
}
