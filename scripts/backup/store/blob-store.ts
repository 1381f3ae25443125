import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Decrypter } from 'age-encryption'
import { hashFile } from '#data/hash-file.ts'
import { decryptAge, encryptAge, keyForPassphrase } from '../format/age-stream.ts'
import { deriveBlobKeys } from './blob-keys.ts'
import { partSuffix, writeDurably, type StoredFile } from './durable-file.ts'

/** A file in the folder `blobs`; size and hash are those of the encrypted file. */
export interface StoredBlob extends StoredFile {
  name: string
}

/** The outcome of `put`. */
export interface PutResult {
  /** Size and hash of the content. */
  content: StoredFile
  blob: StoredBlob
  /** Whether the blob was not in the folder before. */
  isNew: boolean
}

/**
 * The files beside archives, `blobs/<first two digits>/<name>`. The name is derived from the content, so a file that many backups
 * contain is stored once. The work factor of the passphrase is only 1, because the passphrase has 256 bits of entropy.
 */
export interface BlobStore {
  /**
   * Returns the file with this content; undefined where it is not stored, or is damaged. A file that an earlier backup recorded is compared
   * by size, and one in 61 (different ones each day), or all, also by hash. A file that no backup recorded is opened and hashed.
   */
  find(sha256: string): Promise<StoredBlob | undefined>
  /** Stores a file, in place of a damaged one of the same content. `onBytes` is called with the bytes read. */
  put(path: string, onBytes: (bytes: number) => void): Promise<PutResult>
}

/** Where the blobs are, and the key that opens them. */
export interface BlobLocation {
  /** The backup folder. */
  folder: string
  masterKey: Buffer
}

export interface BlobStoreOptions extends BlobLocation {
  isEncrypted: boolean
  /** What earlier backups recorded about blobs, by name. */
  known: ReadonlyMap<string, StoredFile>
  /** Time of the backup, which determines the blobs that are hashed again. */
  now: Date
  /** Whether all blobs that the backup refers to are hashed again; false by default. */
  isThorough?: boolean
}

const workFactor = 1

const dayMs = 24 * 60 * 60 * 1000
/** A prime number, so that backups at any regular interval reach every blob. */
const rotationDays = 61

export function openBlobStore({ folder, masterKey, isEncrypted, known, ...when }: BlobStoreOptions): BlobStore {
  const keys = deriveBlobKeys(masterKey)
  const fresh = new Map<string, StoredBlob>()
  const nameOf = (sha256: string) => `${keys.nameOf(sha256)}${isEncrypted ? '.age' : ''}`

  async function find(sha256: string): Promise<StoredBlob | undefined> {
    const name = nameOf(sha256)
    const found = await findWhole({ folder, masterKey }, { name, sha256, recorded: known.get(name), ...when })
    // This backup may have replaced the file since; then the recorded values no longer hold.
    return fresh.get(name) ?? found
  }

  return {
    find,
    async put(path, onBytes) {
      const hash = createHash('sha256')
      let sizeBytes = 0
      async function* plain() {
        for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 }) as AsyncIterable<Buffer>) {
          hash.update(chunk)
          sizeBytes += chunk.length
          onBytes(chunk.length)
          yield chunk
        }
      }
      let content: StoredFile = { sizeBytes: 0, sha256: '' }
      let existing: StoredBlob | undefined
      const stored = await writeDurably({
        folder: join(folder, 'blobs'),
        content: isEncrypted ? encryptAge(await keyForPassphrase(keys.passphrase, workFactor), plain()) : plain(),
        async pathOf(written) {
          content = { sizeBytes, sha256: hash.digest('hex') }
          const name = nameOf(content.sha256)
          // Another file with the same content may be stored at the same time: the first one wins.
          existing = await find(content.sha256)
          if (existing) return undefined
          fresh.set(name, { name, ...written })
          return blobPath(folder, name)
        },
      })
      return { content, blob: existing ?? { name: nameOf(content.sha256), ...stored }, isNew: !existing }
    },
  }
}

export function blobPath(folder: string, name: string): string {
  return join(folder, 'blobs', name.slice(0, 2), name)
}

interface SoughtBlob {
  name: string
  /** SHA-256 of the content. */
  sha256: string
  recorded: StoredFile | undefined
  now: Date
  isThorough?: boolean
}

async function findWhole(
  source: BlobLocation,
  { name, sha256, recorded, now, isThorough = false }: SoughtBlob,
): Promise<StoredBlob | undefined> {
  const path = blobPath(source.folder, name)
  const info = await stat(path).catch(ignoreMissing)
  if (!info) return undefined
  if (recorded) {
    if (recorded.sizeBytes !== info.size) return undefined
    const isChecked = isThorough || isDueForCheck(name, now)
    const isWhole = !isChecked || (await hashReadable(path))?.sha256 === recorded.sha256
    return isWhole ? { name, ...recorded } : undefined
  }
  const stored = await hashReadable(path)
  return stored && (await hashContent(source, name)) === sha256 ? { name, ...stored } : undefined
}

/** Returns undefined for a file that cannot be read to its end, for example because the disk is damaged. */
function hashReadable(path: string): Promise<StoredFile | undefined> {
  return hashFile(path).catch(() => undefined)
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

/** Returns the SHA-256 of the content of a blob; undefined where it cannot be decrypted. */
async function hashContent(source: BlobLocation, name: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of readBlob(source, name)) hash.update(chunk)
  } catch {
    return undefined
  }
  return hash.digest('hex')
}

/** Reads the content of a blob; fails as `decryptAge` does. */
export async function* readBlob({ folder, masterKey }: BlobLocation, name: string) {
  const source = createReadStream(blobPath(folder, name)) as AsyncIterable<Buffer>
  if (!name.endsWith('.age')) return yield* source
  const decrypter = new Decrypter()
  decrypter.addPassphrase(deriveBlobKeys(masterKey).passphrase)
  yield* decryptAge(decrypter, source)
}

/** Deletes blobs whose names are not in `used`, and what killed backups left behind. Returns the number of blobs and their total bytes. */
export async function removeUnusedBlobs(
  folder: string,
  used: ReadonlySet<string>,
): Promise<{ count: number; sizeBytes: number }> {
  const removed = { count: 0, sizeBytes: 0 }
  await removeParts(folder)
  for (const shard of await listShards(folder)) {
    for (const name of await readdir(join(folder, 'blobs', shard))) {
      if (used.has(name)) continue
      const path = blobPath(folder, name)
      removed.sizeBytes += (await stat(path)).size
      removed.count += 1
      await rm(path)
    }
  }
  return removed
}

/** Deletes files that were never finished. Call it only while no other backup writes to the folder. */
export async function removeParts(folder: string): Promise<void> {
  for (const path of [folder, join(folder, 'blobs')]) {
    for (const name of await readdir(path).catch(() => [])) {
      if (name.endsWith(partSuffix)) await rm(join(path, name), { force: true })
    }
  }
}

async function listShards(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'blobs')).catch(() => [])
  return names.filter((name) => /^[0-9a-f]{2}$/.test(name))
}

/** Whether the blob is among those that a backup on this day hashes again: each is due once in 61 days. */
function isDueForCheck(name: string, now: Date): boolean {
  return Number.parseInt(name.slice(0, 8), 16) % rotationDays === Math.floor(now.getTime() / dayMs) % rotationDays
}
