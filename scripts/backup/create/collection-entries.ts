import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { BSON } from 'mongodb'
import type { CheckedDocument } from '#server/embedded-db/storage/read-data-file.ts'
import { parseDocument } from '../../db/import.ts'
import {
  damagedDocumentPath,
  databasePart,
  indexesFile,
  type BackupFile,
  type BackupManifest,
} from '../format/manifest.ts'
import type { TarEntry } from '../format/tar-writer.ts'
import type { SnapshotCollection } from '../source/database-snapshot.ts'
import { readRecordingAudio, type RecordingAudio } from '../source/stored-recording.ts'

interface CollectionContext {
  manifest: BackupManifest
  /** Gets the audio of recordings. */
  audio: RecordingAudio[]
  /** Called between parts. An error it throws stops the backup. */
  onPart: () => void
}

const maxPartBytes = 8 * 2 ** 20

/** Yields a collection as entries of the archive. Its damaged documents are backed up too, and named in the manifest. */
export async function* readCollection(
  { name, indexes, documents }: SnapshotCollection,
  { manifest, audio, onPart }: CollectionContext,
): AsyncGenerator<TarEntry> {
  const counted = { name, documents: 0, parts: 0 }
  const apart: TarEntry[] = []
  for await (const part of inParts(chooseRestorable(documents(), { name, manifest, apart }))) {
    onPart()
    counted.parts += 1
    counted.documents += part.length
    if (name === 'recordings') audio.push(...part.flatMap((document) => readAudio(document, manifest)))
    yield addFile(manifest, databasePart(name, counted.parts), Buffer.concat(part.map(({ body }) => body)))
  }
  yield* apart
  yield addFile(manifest, indexesFile(name), Buffer.from(BSON.EJSON.stringify({ indexes })))
  manifest.database.collections.push(counted)
}

/** Yields the documents that another database accepts. Adds damaged ones to the manifest, and the bytes of unrestorable ones to `apart`. */
async function* chooseRestorable(
  documents: ReturnType<SnapshotCollection['documents']>,
  { name, manifest, apart }: { name: string; manifest: BackupManifest; apart: TarEntry[] },
): AsyncGenerator<CheckedDocument> {
  for await (const document of documents) {
    const { body, damage } = document
    if (damage?.id !== undefined && isReadable(body)) {
      manifest.damagedDocuments.push({ collection: name, id: damage.id })
    } else if (damage) {
      const file = damagedDocumentPath(name, { row: damage.row, crc: crc32(body) })
      apart.push(addFile(manifest, file, Buffer.from(body)))
      manifest.damagedDocuments.push({ collection: name, id: damage.id ?? `row ${damage.row}`, file })
      continue
    }
    yield document
  }
}

function isReadable(body: Uint8Array): boolean {
  try {
    parseDocument(body, { acceptsInvalidText: true })
    return true
  } catch {
    return false
  }
}

async function* inParts(documents: AsyncIterable<CheckedDocument>) {
  let part: CheckedDocument[] = []
  let partBytes = 0
  for await (const { body, ...document } of documents) {
    // The driver's bytes are a view of a larger buffer that it may reuse.
    part.push({ ...document, body: Uint8Array.from(body) })
    partBytes += body.length
    if (partBytes < maxPartBytes) continue
    yield part
    part = []
    partBytes = 0
  }
  if (part.length > 0) yield part
}

/** Returns the audio of a recording; none where the part of the document that describes it is damaged: that audio counts as missing. */
function readAudio({ body, damage }: CheckedDocument, manifest: BackupManifest): RecordingAudio[] {
  try {
    return [readRecordingAudio(body) ?? []].flat()
  } catch (error) {
    if (damage?.id === undefined) throw error
    manifest.missingAudio.push(damage.id)
    return []
  }
}

/** Returns an entry of the archive, and adds it to the manifest. */
export function addFile(manifest: BackupManifest, path: string, content: Buffer): TarEntry {
  const file: BackupFile = {
    path,
    sizeBytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }
  manifest.files.push(file)
  return { path, sizeBytes: content.length, content: [content] }
}
