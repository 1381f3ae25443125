import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { hashFile } from '#data/hash-file.ts'
import type { BackupFile, BackupManifest } from '../format/manifest.ts'
import { listRecords, readRecord, recordPath, type BackupRecord } from '../store/backup-record.ts'
import { blobPath, readBlob, type StoredBlob } from '../store/blob-store.ts'
import type { StoredFile } from '../store/durable-file.ts'
import { checkArchive, type CheckedArchive } from './check-archive.ts'
import type { ArchiveOptions } from './read-archive.ts'

export interface VerifyOptions extends ArchiveOptions {
  onProgress?: (done: number, total: number) => void
}

export interface VerificationResult {
  /** One sentence for each damaged or missing file, with its name. */
  problems: string[]
  /** Whether the archive itself is damaged or missing. */
  isArchiveDamaged: boolean
  /** Names of files in `blobs` that are damaged or missing. */
  damagedBlobs: ReadonlySet<string>
  /** What the archive contains; missing where it was not opened. */
  checked?: CheckedArchive
}

/**
 * Verifies a backup: the record beside the archive, and every byte of the archive and of the files in `blobs` that it refers to. With a
 * key, everything is decrypted and compared with the hashes of the contents; without one, the encrypted files are compared with the
 * record, which finds what has changed since it was written.
 */
export async function verifyBackup(options: VerifyOptions): Promise<VerificationResult> {
  const { path, decrypter } = options
  const problems: string[] = []
  const record = await readRecordBeside(path, problems)
  const archiveProblems = record ? await findArchiveProblem(path, record) : []
  problems.push(...archiveProblems)
  const isArchiveDamaged = archiveProblems.length > 0
  const describe = (found: ReadonlyMap<string, string>) => ({
    problems: [...problems, ...found.values()],
    isArchiveDamaged,
    damagedBlobs: new Set(found.keys()),
  })
  if (!decrypter && record && record.encryption !== 'none') return describe(await findStoredProblems(options, record))
  try {
    const checked = await checkArchive(options)
    return { ...describe(await findBlobProblems(options, checked)), checked }
  } catch (error) {
    if (!(error instanceof AppError) || problems.length === 0) throw error
    // The problem reported for the record already names the file.
    return { problems, isArchiveDamaged: true, damagedBlobs: new Set() }
  }
}

/** Reads the record of an archive. One without a record may be complete in itself. */
async function readRecordBeside(path: string, problems: string[]): Promise<BackupRecord | undefined> {
  const file = recordPath(path)
  if (!existsSync(file)) return undefined
  try {
    return await readRecord(file)
  } catch (error) {
    problems.push(`${file} is damaged: ${error instanceof Error ? error.message : String(error)}.`)
    return undefined
  }
}

async function findArchiveProblem(path: string, { archive }: BackupRecord): Promise<string[]> {
  const found = await hashFile(path).catch(() => undefined)
  if (!found) return [`${path} is missing.`]
  return isEqual(found, archive) ? [] : [`${path} is damaged: it has changed.`]
}

/** Returns a sentence for each damaged or missing blob, by its name. */
async function findStoredProblems(
  { path, signal, onProgress }: VerifyOptions,
  { blobs, createdAt }: BackupRecord,
): Promise<Map<string, string>> {
  const folder = dirname(path)
  const identify = ({ name, sizeBytes, sha256 }: StoredBlob) => `${name} ${sizeBytes} ${sha256}`
  const later = (await listRecords(folder)).records.filter((record) => record.createdAt > createdAt)
  // A later backup may have replaced a damaged file by one encrypted with another key.
  const known = new Set([...blobs, ...later.flatMap((record) => record.blobs)].map(identify))
  const problems = new Map<string, string>()
  for (const [index, blob] of blobs.entries()) {
    signal?.throwIfAborted()
    const found = await hashFile(blobPath(folder, blob.name)).catch(() => undefined)
    if (!found) problems.set(blob.name, `${blobPath(folder, blob.name)} is missing.`)
    else if (!known.has(identify({ name: blob.name, ...found })))
      problems.set(blob.name, `${blobPath(folder, blob.name)} is damaged: it has changed.`)
    onProgress?.(index + 1, blobs.length)
  }
  return problems
}

/** Returns a sentence for each damaged or missing blob, by its name. */
async function findBlobProblems(
  options: VerifyOptions,
  { manifest, masterKey }: CheckedArchive,
): Promise<Map<string, string>> {
  const problems = new Map<string, string>()
  const blobs = listBlobs(manifest)
  const folder = dirname(options.path)
  for (const [index, file] of blobs.entries()) {
    options.signal?.throwIfAborted()
    const problem = await findBlobProblem({ folder, masterKey }, file)
    if (problem) problems.set(file.blob, `${blobPath(folder, file.blob)} ${problem} (${file.path}).`)
    options.onProgress?.(index + 1, blobs.length)
  }
  return problems
}

type FileInBlob = BackupFile & { blob: string }

/** Returns one file for each blob: files of the same content share one. */
function listBlobs({ files }: BackupManifest): FileInBlob[] {
  const inBlobs = files.filter((file): file is FileInBlob => file.blob !== undefined)
  return [...new Map(inBlobs.map((file) => [file.blob, file])).values()]
}

/** Reads every byte of a file of `blobs` and returns what is wrong with it, to complete "X "; undefined where it is whole. */
export async function findBlobProblem(
  store: { folder: string; masterKey: Buffer },
  { blob, sizeBytes, sha256 }: FileInBlob,
): Promise<string | undefined> {
  const hash = createHash('sha256')
  let length = 0
  try {
    for await (const chunk of readBlob(store, blob)) {
      hash.update(chunk)
      length += chunk.length
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 'is missing'
    return `is damaged: ${error instanceof Error ? error.message : String(error)}`
  }
  return length === sizeBytes && hash.digest('hex') === sha256 ? undefined : 'is damaged: its content has changed'
}

function isEqual(a: StoredFile, b: StoredFile): boolean {
  return a.sizeBytes === b.sizeBytes && a.sha256 === b.sha256
}
