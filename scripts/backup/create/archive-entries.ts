import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { AppError } from '#contract/app-error.ts'
import type { AudioSnapshot } from '#data/audio-store/audio-snapshot.ts'
import { audioCollections } from '#data/audio-store/gridfs/audio-collections.ts'
import { version } from '#data/version.ts'
import { mapInOrder } from '#engine/speech/map-in-order.ts'
import { formatVersion, headFile, manifestFile, type BackupManifest } from '../format/manifest.ts'
import type { TarEntry } from '../format/tar-writer.ts'
import { listDataFiles, listModelFiles, readIfExists, type BackupSourceFile } from '../source/data-files.ts'
import type { DatabaseSnapshot, SnapshotCollection } from '../source/database-snapshot.ts'
import type { RecordingAudio } from '../source/stored-recording.ts'
import type { BlobStore, StoredBlob } from '../store/blob-store.ts'
import { addFile, readCollection } from './collection-entries.ts'

export interface ArchiveSource {
  snapshot: DatabaseSnapshot
  createdAt: Date
  dataDir: string
  modelsDir: string
  audioSnapshot: AudioSnapshot
  /** Stores audio and weights; where it is missing, the archive itself holds them. */
  blobs?: BlobStore
  withModels: boolean
  /** Begins a stage of `total` bytes of audio and weights. */
  onStage: (total: number) => void
  /** Called with the number of bytes of audio and weights just processed. An error it throws stops the backup. */
  onBytes: (bytes: number) => void
}

export interface ArchiveResult {
  manifest: BackupManifest
  blobs: Map<string, StoredBlob>
  newBlobBytes: number
  reusedBlobs: number
}

const masterKeyFile = 'data/secrets/master-key'
const readBytes = 2 ** 20
/** How many files are stored as blobs at the same time. */
const maxConcurrent = 3

/** Reads an instance as the entries of an archive. `result` is filled in as they are read, and is complete after the last. */
export function readInstance(source: ArchiveSource): { entries: AsyncGenerator<TarEntry>; result: ArchiveResult } {
  const { snapshot, createdAt } = source
  const database = { engine: snapshot.engine, isPointInTime: snapshot.isPointInTime, collections: [] }
  const manifest: BackupManifest = {
    format: formatVersion,
    version,
    createdAt: createdAt.toISOString(),
    database,
    files: [],
    missingAudio: [],
    damagedAudio: [],
    heldAudio: [],
    damagedDocuments: [],
  }
  const result: ArchiveResult = { manifest, blobs: new Map(), newBlobBytes: 0, reusedBlobs: 0 }
  return { entries: readAll(source, result), result }
}

async function* readAll(source: ArchiveSource, result: ArchiveResult): AsyncGenerator<TarEntry> {
  const { manifest } = result
  yield jsonEntry(headFile, { product: 'awaz', format: formatVersion, version, createdAt: manifest.createdAt })
  const audio: RecordingAudio[] = []
  const onPart = () => source.onBytes(0) // a chance to stop
  for (const collection of source.snapshot.collections.map(withoutAudio))
    yield* readCollection(collection, { manifest, audio, onPart })
  for (const file of await listDataFiles(source)) {
    const content = await readIfExists(file.source)
    if (content) yield addFile(manifest, file.path, content)
  }
  if (!manifest.files.some(({ path }) => path === masterKeyFile)) {
    throw new AppError('not_found', `${masterKeyFile} was not found, and a backup without it cannot be restored.`)
  }
  const weights = source.withModels ? await listModelFiles(source.modelsDir) : []
  source.onStage(await totalBytes(audio, weights))
  const { blobs } = source
  if (blobs) await storeAll({ audio, weights }, { source: { ...source, blobs }, result })
  else {
    for (const recording of audio) yield* readAudio(recording, { source, result })
    for (const file of weights) yield* readLarge(file, { source, result })
  }
  yield jsonEntry(manifestFile, manifest)
}

/** Leaves out the documents only: the collections themselves are still restored with their indexes. */
function withoutAudio(collection: SnapshotCollection): SnapshotCollection {
  return audioCollections.includes(collection.name) ? { ...collection, documents: () => [] } : collection
}

interface ReadContext {
  source: ArchiveSource
  result: ArchiveResult
}

/** Yields the audio of a recording as an entry of the archive. */
async function* readAudio(recording: RecordingAudio, { source, result }: ReadContext): AsyncGenerator<TarEntry> {
  const file = await source.audioSnapshot.open(recording)
  if (file === null) return noteMissing(recording, { source, result })
  try {
    yield* readLarge({ path: audioPath(recording), source: file.path }, { source, result })
  } finally {
    await file.release()
  }
  noteDamaged(recording, { result, sha256: result.manifest.files.at(-1)?.sha256 })
}

/** Yields a file as an entry of the archive, without holding it in memory. */
async function* readLarge(file: BackupSourceFile, { source, result }: ReadContext): AsyncGenerator<TarEntry> {
  const { size } = await stat(file.source)
  const hash = createHash('sha256')
  async function* content() {
    for await (const chunk of createReadStream(file.source, { highWaterMark: readBytes }) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      source.onBytes(chunk.length)
      yield chunk
    }
  }
  yield { path: file.path, sizeBytes: size, content: content() }
  result.manifest.files.push({ path: file.path, sizeBytes: size, sha256: hash.digest('hex') })
}

type StoreContext = ReadContext & { source: { blobs: BlobStore } }

/** Stores audio and weights as blobs; audio several at a time, since each file waits for the disk. */
async function storeAll(
  { audio, weights }: { audio: RecordingAudio[]; weights: BackupSourceFile[] },
  context: StoreContext,
): Promise<void> {
  for await (const { settled } of mapInOrder(audio, { limit: maxConcurrent }, (item) => storeAudio(item, context))) {
    if (settled.status === 'rejected') throw settled.reason
  }
  for (const file of weights) await storeLarge(file, context)
}

async function storeAudio(recording: RecordingAudio, context: StoreContext): Promise<void> {
  const { source, result } = context
  const { sha256, sizeBytes } = recording
  const path = audioPath(recording)
  const stored = await source.blobs.find(sha256)
  if (stored) {
    result.blobs.set(stored.name, stored)
    result.reusedBlobs += 1
    result.manifest.files.push({ path, sizeBytes, sha256, blob: stored.name })
    // It is not read again: `awaz doctor --all` finds files that have changed but kept their size.
    if ((await source.audioSnapshot.size(recording)) !== sizeBytes) result.manifest.heldAudio.push(recording.id)
    source.onBytes(sizeBytes)
    return
  }
  const file = await source.audioSnapshot.open(recording)
  if (file === null) return noteMissing(recording, context)
  try {
    noteDamaged(recording, { result, sha256: await storeLarge({ path, source: file.path }, context) })
  } finally {
    await file.release()
  }
}

/** Returns the SHA-256 of the content. */
async function storeLarge(file: BackupSourceFile, { source, result }: StoreContext): Promise<string> {
  const { content, blob, isNew } = await source.blobs.put(file.source, source.onBytes)
  result.blobs.set(blob.name, blob)
  if (isNew) result.newBlobBytes += blob.sizeBytes
  else result.reusedBlobs += 1
  result.manifest.files.push({ path: file.path, ...content, blob: blob.name })
  return content.sha256
}

function audioPath({ id, extension }: RecordingAudio): string {
  return `data/audio/${id.slice(-2)}/${id}.${extension}`
}

function noteMissing({ id, sizeBytes }: RecordingAudio, { source, result }: ReadContext): void {
  result.manifest.missingAudio.push(id)
  source.onBytes(sizeBytes)
}

function noteDamaged(
  { id, sha256: uploaded }: RecordingAudio,
  { result, sha256 }: { result: ArchiveResult; sha256: string | undefined },
): void {
  if (sha256 !== uploaded) result.manifest.damagedAudio.push(id)
}

function jsonEntry(path: string, value: unknown): TarEntry {
  const content = Buffer.from(`${JSON.stringify(value)}\n`)
  return { path, sizeBytes: content.length, content: [content] }
}

async function totalBytes(audio: RecordingAudio[], weights: BackupSourceFile[]): Promise<number> {
  const sizes = await Promise.all(weights.map(async ({ source }) => (await stat(source)).size))
  return [...audio.map(({ sizeBytes }) => sizeBytes), ...sizes].reduce((sum, size) => sum + size, 0)
}
