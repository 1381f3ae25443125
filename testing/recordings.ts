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
