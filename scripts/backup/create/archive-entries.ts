import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { BSON } from 'mongodb'
import type { HeldAudio } from '#data/audio-store/held-audio.ts'
import { version } from '#data/version.ts'
import {
  databasePart,
  formatVersion,
  headFile,
  indexesFile,
  manifestFile,
  type BackupFile,
  type BackupManifest,
} from '../format/manifest.ts'
import type { TarEntry } from '../format/tar-writer.ts'
import { listDataFiles, listModelFiles, readIfThere, type SourceFile } from '../source/data-files.ts'
import type { DatabaseMoment, MomentCollection } from '../source/database-moment.ts'
import { readRecordingSound, type RecordingSound } from '../source/stored-recording.ts'
import type { BlobStore, StoredBlob } from '../store/blob-store.ts'
import type { StoredFile } from '../store/durable-file.ts'

export interface ArchiveSource {
  moment: DatabaseMoment
  createdAt: Date
  dataDir: string
  modelsDir: string
  held: HeldAudio
  /** Takes sound and weights; the archive itself holds them where it is missing. */
  blobs?: BlobStore
  /** What earlier backups recorded of blobs, by name. */
  known: ReadonlyMap<string, StoredFile>
  withModels: boolean
  /** Begins a stage of `total` bytes of sound and weights. */
  onStage: (total: number) => void
  /** Called with bytes of sound and weights that are done. An error of it stops the backup. */
  onBytes: (bytes: number) => void
}

export interface ArchiveResult {
  manifest: BackupManifest
  blobs: Map<string, StoredBlob>
  newBlobBytes: number
  reusedBlobs: number
}

const maxPartBytes = 8 * 2 ** 20

/** Reads an instance as the entries of an archive. `result` is filled while they are read, and complete after the last. */
export function readInstance(source: ArchiveSource): { entries: AsyncGenerator<TarEntry>; result: ArchiveResult } {
  const { moment, createdAt } = source
  const database = { engine: moment.engine, isOneMoment: moment.isOneMoment, collections: [] }
  const manifest: BackupManifest = {
    format: formatVersion,
    version,
    createdAt: createdAt.toISOString(),
    database,
    files: [],
    missingSound: [],
    damagedSound: [],
  }
  const result: ArchiveResult = { manifest, blobs: new Map(), newBlobBytes: 0, reusedBlobs: 0 }
  return { entries: readAll(source, result), result }
}

async function* readAll(source: ArchiveSource, result: ArchiveResult): AsyncGenerator<TarEntry> {
  const { manifest } = result
  yield jsonEntry(headFile, { product: 'awaz', format: formatVersion, version, createdAt: manifest.createdAt })
  const sound: RecordingSound[] = []
  for (const collection of source.moment.collections) yield* readCollection(collection, { source, manifest, sound })
  for (const file of await listDataFiles(source)) {
    const content = await readIfThere(file.source)
    if (content) yield addFile(manifest, file.path, content)
  }
  const weights = source.withModels ? await listModelFiles(source.modelsDir) : []
  source.onStage(await totalBytes(sound, weights))
  for (const recording of sound) yield* readSound(recording, source, result)
  for (const file of weights) yield* readLarge(file, { source, result })
  yield jsonEntry(manifestFile, manifest)
}

async function* readCollection(
  { name, indexes, documents }: MomentCollection,
  { source, manifest, sound }: { source: ArchiveSource; manifest: BackupManifest; sound: RecordingSound[] },
): AsyncGenerator<TarEntry> {
  const counted = { name, documents: 0, parts: 0 }
  for await (const part of inParts(documents())) {
    source.onBytes(0) // the chance to stop
    counted.parts += 1
    counted.documents += part.length
    if (name === 'recordings') sound.push(...part.flatMap((document) => readRecordingSound(document) ?? []))
    yield addFile(manifest, databasePart(name, counted.parts), Buffer.concat(part))
  }
  yield addFile(manifest, indexesFile(name), Buffer.from(BSON.EJSON.stringify({ indexes })))
  manifest.database.collections.push(counted)
}

async function* inParts(documents: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  let part: Uint8Array[] = []
  let partBytes = 0
  for await (const document of documents) {
    // The driver's bytes are a view of a larger buffer that it may use again.
    part.push(Uint8Array.from(document))
    partBytes += document.length
    if (partBytes < maxPartBytes) continue
    yield part
    part = []
    partBytes = 0
  }
  if (part.length > 0) yield part
}

async function* readSound(recording: RecordingSound, source: ArchiveSource, result: ArchiveResult) {
  const { id, extension, sha256, sizeBytes } = recording
  const path = `data/audio/${id.slice(-2)}/${id}.${extension}`
  const stored = await source.blobs?.find(sha256, source.known)
  if (stored) {
    result.blobs.set(stored.name, stored)
    result.reusedBlobs += 1
    result.manifest.files.push({ path, sizeBytes, sha256, blob: stored.name })
    source.onBytes(sizeBytes)
    return
  }
  const file = await source.held.find(recording)
  if (file === null) {
    result.manifest.missingSound.push(id)
    source.onBytes(sizeBytes)
    return
  }
  yield* readLarge({ path, source: file }, { source, result })
  if (result.manifest.files.at(-1)?.sha256 !== sha256) result.manifest.damagedSound.push(id)
}

/** Puts a file into the blobs, or yields it as an entry of the archive. */
async function* readLarge(
  file: SourceFile,
  { source, result }: { source: ArchiveSource; result: ArchiveResult },
): AsyncGenerator<TarEntry> {
  const { manifest } = result
  if (source.blobs) {
    const { content, blob, isNew } = await source.blobs.put(file.source, source.onBytes)
    result.blobs.set(blob.name, blob)
    if (isNew) result.newBlobBytes += blob.sizeBytes
    else result.reusedBlobs += 1
    manifest.files.push({ path: file.path, ...content, blob: blob.name })
    return
  }
  const { size } = await stat(file.source)
  const hash = createHash('sha256')
  async function* content() {
    for await (const chunk of createReadStream(file.source, { highWaterMark: 512 * 1024 }) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      source.onBytes(chunk.length)
      yield chunk
    }
  }
  yield { path: file.path, sizeBytes: size, content: content() }
  manifest.files.push({ path: file.path, sizeBytes: size, sha256: hash.digest('hex') })
}

function addFile(manifest: BackupManifest, path: string, content: Buffer): TarEntry {
  const file: BackupFile = {
    path,
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }
  manifest.files.push(file)
  return { path, sizeBytes: content.length, content: [content] }
}

function jsonEntry(path: string, value: unknown): TarEntry {
  const content = Buffer.from(`${JSON.stringify(value)}\n`)
  return { path, sizeBytes: content.length, content: [content] }
}

async function totalBytes(sound: RecordingSound[], weights: SourceFile[]): Promise<number> {
  const sizes = await Promise.all(weights.map(async ({ source }) => (await stat(source)).size))
  return [...sound.map(({ sizeBytes }) => sizeBytes), ...sizes].reduce((sum, size) => sum + size, 0)
}
