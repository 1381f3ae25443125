import { copyFile, mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { AudioFile, AudioStore } from '#data/audio-store/audio-store.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import { insertRecording, type NewRecording } from '#data/recordings/recordings.ts'

/** The content of every recording stored here. */
const content = 'sound'

/** Stores a file without a document. */
export async function storeAudio(audioStore: AudioStore): Promise<AudioFile> {
  const file = { id: newId(), extension: 'wav' }
  await (await audioStore.receive(Readable.from([Buffer.from(content)]), { ...file, maxBytes: 100 })).keep()
  return file
}

/** Stores the document of a recording; options override any part. */
export async function storeDocument(connection: DatabaseConnection, overrides: Partial<NewRecording> = {}) {
  return insertRecording(connection, {
    id: newId(),
    ownerId: newId(),
    name: 'call.wav',
    extension: 'wav',
    sizeBytes: content.length,
    sha256: 'none',
    durationMs: 1,
    channels: 1,
    isStereo: false,
    peaks: [],
    ...overrides,
  })
}

/** Copies a file to the path where a disk store in `audioDir` keeps a recording. */
export async function copyToStore(source: string, audioDir: string, id: string): Promise<void> {
  const shard = join(audioDir, id.slice(-2))
  await mkdir(shard, { recursive: true })
  await copyFile(source, join(shard, `${id}${extname(source)}`))
}
