import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'
import { blobPattern, formatVersion } from '../format/manifest.ts'
import { writeDurably } from './durable-file.ts'

const archivePattern = /^awaz-\d{8}T\d{6}Z(-\d+)?\.tar(\.age)?$/

const stored = { sizeBytes: z.int().nonnegative(), sha256: z.hex() }
const StoredArchive = z.object({ name: z.string().regex(archivePattern), ...stored })
const StoredBlob = z.object({ name: z.string().regex(blobPattern), ...stored })

/**
 * The plain-text record beside an archive, `awaz-….json`: enough to list backups, and to find unused files and changed bits, without a
 * key. It is written last, so an archive without one is unfinished.
 */
const BackupRecord = z.object({
  product: z.literal('awaz'),
  format: z.literal(formatVersion),
  version: z.string(),
  createdAt: z.iso.datetime(),
  encryption: z.enum(['passphrase', 'recipients', 'none']),
  documents: z.int().nonnegative(),
  recordings: z.int().nonnegative(),
  /** Recordings without an audio file, or with a damaged one. */
  faultyRecordings: z.int().nonnegative(),
  /** Number of damaged documents. Missing where there are none, so that earlier versions of Awaz can read the record. */
  damagedDocuments: z.int().positive().optional(),
  /**
   * Made with `--prune`, as the daily backups are: the rules decide how long it is kept. Missing for one made by hand, which stays until
   * someone deletes it.
   */
  isRegular: z.literal(true).optional(),
  archive: StoredArchive,
  blobs: z.array(StoredBlob),
  /** Bytes that this backup added to the folder. */
  newBytes: z.int().nonnegative(),
})
export type BackupRecord = z.infer<typeof BackupRecord>

const NewerRecord = z.object({
  product: z.literal('awaz'),
  format: z.int().min(formatVersion + 1),
  version: z.string(),
})

/** A file that is not a record, or a record that has changed. */
export interface UnreadableRecord {
  path: string
  problem: string
}

export interface RecordList {
  /** Oldest first. */
  records: BackupRecord[]
  unreadable: UnreadableRecord[]
  /** Paths of archives without a record: they are unfinished, or their record was lost. */
  unrecorded: string[]
}

const recordName = /^awaz-\d{8}T\d{6}Z(-\d+)?\.json$/

/** Returns the path of the record of an archive. */
export function recordPath(archivePath: string): string {
  return join(dirname(archivePath), `${basename(archivePath).replace(/\.tar(\.age)?$/, '')}.json`)
}

export async function writeRecord(folder: string, record: BackupRecord): Promise<void> {
  const text = serialize(BackupRecord.parse(record))
  async function* content() {
    yield Buffer.from(text)
  }
  await writeDurably({ folder, content: content(), pathOf: () => recordPath(join(folder, record.archive.name)) })
}

/** Lists the finished backups of a folder. Throws the file system's error where the folder cannot be read. */
export async function listRecords(folder: string): Promise<RecordList> {
  const list: RecordList = { records: [], unreadable: [], unrecorded: [] }
  const names = (await readdir(folder)).toSorted()
  for (const name of names.filter((entry) => archivePattern.test(entry))) {
    const path = join(folder, name)
    if (!names.includes(basename(recordPath(path)))) list.unrecorded.push(path)
  }
  for (const name of names.filter((entry) => recordName.test(entry))) {
    const path = join(folder, name)
    try {
      list.records.push(await readRecord(path))
    } catch (error) {
      list.unreadable.push({ path, problem: error instanceof Error ? error.message : String(error) })
    }
  }
  list.records.sort((a, b) => a.createdAt.localeCompare(b.createdAt))
  return list
}

/** Reads a record. Throws an Error, whose message completes "X is damaged: ", where a bit of it has changed. */
export async function readRecord(path: string): Promise<BackupRecord> {
  const text = await readFile(path, 'utf8')
  const parsed = parseRecord(text)
  const newer = !parsed && NewerRecord.safeParse(toJson(text)).data
  if (newer) throw new Error(`it is of a newer version of Awaz (${newer.version})`)
  if (!parsed || serialize(parsed) !== text) throw new Error('it has changed')
  if (basename(recordPath(parsed.archive.name)) !== basename(path)) throw new Error('it belongs to another archive')
  return parsed
}

function parseRecord(text: string): BackupRecord | undefined {
  return BackupRecord.safeParse(toJson(text)).data
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Serializes a record together with its hash. To verify it, `readRecord` serializes the content again and compares the text. */
function serialize(record: BackupRecord): string {
  const sha256 = createHash('sha256').update(JSON.stringify(record)).digest('hex')
  return `${JSON.stringify({ ...record, sha256 }, undefined, 1)}\n`
}
