import { copyFile, mkdir } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { Readable } from 'node:stream'
import type { Connection } from 'mongoose'
import { Types } from 'mongoose'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import { insertRecording, type NewRecording } from '#data/recordings/recordings.ts'

/** What a stored recording of these tests holds. */
const content = 'sound'

/** A file in the store, without a document. */
export async function storeAudio(audioStore: AudioStore) {
  const _id = new Types.ObjectId()
  const file = { id: _id.toHexString(), extension: 'wav' }
  await (await audioStore.receive(Readable.from([Buffer.from(content)]), { ...file, maxBytes: 100 })).keep()
  return { _id, file }
}

/** The document of a recording; options override any part. */
export async function storeDocument(connection: Connection, overrides: Partial<NewRecording> = {}) {
  return insertRecording(connection, {
    _id: new Types.ObjectId(),
    ownerId: new Types.ObjectId(),
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

/** Copies a file to where a disk store in `audioDir` keeps that of a recording. */
export async function copyToStore(source: string, audioDir: string, recordingId: Types.ObjectId): Promise<void> {
  const id = recordingId.toHexString()
  const shard = join(audioDir, id.slice(-2))
  await mkdir(shard, { recursive: true })
  await copyFile(source, join(shard, `${id}${extname(source)}`))
}
