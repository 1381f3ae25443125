import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#contract/app-error.ts'
import { snapshotAudioStores } from '#data/audio-store/open-audio-store.ts'
import { connectDatabase } from '#data/connect.ts'
import type { AudioSnapshot } from '#data/audio-store/audio-snapshot.ts'
import { findDiskProblem } from '#data/disk-check.ts'
import { version } from '#data/version.ts'
import { withLock } from '#engine/models/store/lock-file.ts'
import { formatVersion, isAudioFile, type BackupManifest } from '../format/manifest.ts'
import { encrypt, type BackupEncryption } from '../format/encryption.ts'
import { writeTar } from '../format/tar-writer.ts'
import { readIfExists } from '../source/data-files.ts'
import { openDatabaseSnapshot, type DatabaseSnapshot } from '../source/database-snapshot.ts'
import { writeRecord, listRecords, recordPath, type BackupRecord, type RecordList } from '../store/backup-record.ts'
import { openBlobStore, removeParts } from '../store/blob-store.ts'
import { writeDurably, type StoredFile } from '../store/durable-file.ts'
import { readInstance, type ArchiveResult, type ArchiveSource } from './archive-entries.ts'

export interface BackupProgress {
  begin(stage: string): void
  update(done: number, total: number): void
}

export interface BackupOptions {
  dataDir: string
  /** Size of the copies of audio that is kept in the database. */
  audioCopyBytes: number
  modelsDir: string
  uri: string
  dbName: string
  encryption: BackupEncryption
  /** Whether to include the weights of models. */
  withModels: boolean
  /** Whether to rehash every file in the folder that the backup shares with others; false by default. */
  isThorough?: boolean
  /** See BackupRecord; false by default. */
  isRegular?: boolean
  progress: BackupProgress
  /** Stops the backup, which then leaves nothing. */
  signal: AbortSignal
}

export interface CreatedBackup {
  path: string
  record: BackupRecord
  manifest: BackupManifest
  reusedBlobs: number
}

/** What a backup of this instance needs, whatever its target. */
type OpenedSource = Pick<ArchiveSource, 'snapshot' | 'createdAt' | 'audioSnapshot'>

/**
 * Backs up an instance into a folder: an archive, its record, and audio in `blobs`. All backups in the folder share one copy of each
 * blob.
 *
 * @throws AppError where the folder cannot be written, another backup is running, or the instance has no master key
 */
export async function backUpToFolder(folder: string, options: BackupOptions): Promise<CreatedBackup> {
  const problem = await findDiskProblem(folder)
  if (problem) throw new AppError('unavailable', `No backup can be written to ${folder}: ${problem}.`)
  const masterKey = await readMasterKey(options.dataDir)
  return withLock(
    join(folder, 'backup'),
    () =>
      withSource(options, async (source) => {
        await removeParts(folder)
        const earlier = await listRecords(folder)
        const known = knownBlobs(earlier)
        const isEncrypted = options.encryption.kind !== 'none'
        const { isThorough = false } = options
        const blobs = openBlobStore({ folder, masterKey, isEncrypted, known, now: source.createdAt, isThorough })
        const { entries, result } = readInstance({ ...archiveSource(options, source), blobs })
        const path = join(folder, archiveName(source.createdAt, options.encryption, earlier))
        const content = encrypt(options.encryption, writeTar(entries))
        const archive = await writeDurably({ folder, content, pathOf: () => path })
        const record = describe(result, { name: basename(path), archive, options })
        await writeRecord(folder, record).catch(async (error: unknown) => {
          await rm(path, { force: true })
          throw error
        })
        return { path, record, manifest: result.manifest, reusedBlobs: result.reusedBlobs }
      }),
    { subject: 'a backup in this folder' },
  )
}

/** Writes a backup to a stream: one archive that holds everything. */
export async function backUpToStream(stream: Writable, options: BackupOptions): Promise<BackupManifest> {
  await readMasterKey(options.dataDir)
  return withSource(options, async (source) => {
    const { entries, result } = readInstance(archiveSource(options, source))
    await pipeline(Readable.from(encrypt(options.encryption, writeTar(entries)), { objectMode: false }), stream)
    return result.manifest
  })
}

/** Holds the audio, opens a snapshot of the database, and releases both after `work`. */
async function withSource<Value>(
  options: BackupOptions,
  work: (source: OpenedSource) => Promise<Value>,
): Promise<Value> {
  const { dataDir, uri, dbName, signal, progress } = options
  const run = async () => {
    // Held before the snapshot, so that audio deleted in between is still there; and again after it, for audio added in between.
    const database = await connectDatabase({ mongodbUri: uri }, { dbName, signal })
    let audioSnapshot: AudioSnapshot | undefined
    let snapshot: DatabaseSnapshot | undefined
    try {
      const held = await snapshotAudioStores(options, database.connection)
      audioSnapshot = held
      progress.begin('Copying the database')
      let createdAt = new Date()
      snapshot = await openDatabaseSnapshot({
        uri,
        dbName,
        signal,
        onProgress: (done, total) => progress.update(done, total),
        async onCopied() {
          createdAt = new Date()
          await held.refresh()
        },
      })
      return await work({ snapshot, createdAt, audioSnapshot: held })
    } finally {
      await snapshot?.close()
      await audioSnapshot?.release()
      await database.close()
    }
  }
  return withLock(join(dataDir, 'backup'), run, { subject: 'a backup of this data folder' })
}

function archiveSource(
  { dataDir, modelsDir, withModels, progress, signal }: BackupOptions,
  source: OpenedSource,
): ArchiveSource {
  let done = 0
  let total = 0
  return {
    ...source,
    dataDir,
    modelsDir,
    withModels,
    onStage(bytes) {
      total = bytes
      progress.begin('Storing audio (MB)')
    },
    onBytes(bytes) {
      signal.throwIfAborted()
      done += bytes
      if (total > 0) progress.update(Math.floor(done / 1e6), Math.ceil(total / 1e6))
    },
  }
}

async function readMasterKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, 'secrets', 'master-key')
  const text = await readIfExists(path)
  if (text) return Buffer.from(text.toString().trim(), 'base64')
  throw new AppError('not_found', `There is no ${path}, and a backup without it cannot be restored.`, {
    help: "Set DATA_DIR to the server's data folder.",
  })
}

function knownBlobs({ records }: RecordList): Map<string, StoredFile> {
  return new Map(
    records.flatMap(({ blobs }) => blobs.map(({ name, sizeBytes, sha256 }) => [name, { sizeBytes, sha256 }])),
  )
}

/** Returns `awaz-20261126T020000Z.tar.age`, with a number where two are made within the same second. */
function archiveName(
  createdAt: Date,
  { kind }: BackupEncryption,
  { records, unreadable, unrecorded }: RecordList,
): string {
  const time = createdAt.toISOString().replace(/[-:]|\.\d+/g, '')
  const taken = new Set([
    ...records.map(({ archive }) => recordPath(archive.name)),
    ...unreadable.map(({ path }) => basename(path)),
    ...unrecorded.map((path) => basename(recordPath(path))),
  ])
  const ending = kind === 'none' ? 'tar' : 'tar.age'
  let base = `awaz-${time}`
  for (let n = 2; taken.has(`${base}.json`); n++) base = `awaz-${time}-${n}`
  return `${base}.${ending}`
}

function describe(
  { manifest, blobs, newBlobBytes }: ArchiveResult,
  { name, archive, options }: { name: string; archive: StoredFile; options: BackupOptions },
): BackupRecord {
  const { collections } = manifest.database
  const damagedDocuments = manifest.damagedDocuments.length
  return {
    product: 'awaz',
    format: formatVersion,
    version,
    createdAt: manifest.createdAt,
    encryption: options.encryption.kind,
    documents: collections.reduce((sum, { documents }) => sum + documents, 0),
    recordings: manifest.files.filter(isAudioFile).length,
    faultyRecordings: manifest.missingAudio.length + manifest.damagedAudio.length,
    ...(damagedDocuments > 0 && { damagedDocuments }),
    ...(options.isRegular && { isRegular: true }),
    archive: { name, ...archive },
    blobs: [...blobs.values()].toSorted((a, b) => a.name.localeCompare(b.name)),
    newBytes: newBlobBytes + archive.sizeBytes,
  }
}
