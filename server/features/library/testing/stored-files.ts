import { Readable } from 'node:stream'
import { expect } from 'vitest'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { readDatabaseTime } from '#data/database-time.ts'
import { newId } from '#data/ids.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { setDatabaseClock } from '#testing/database.ts'
import { storeDocument } from '#testing/recordings.ts'

/** Stores a recording with its file. Returns its id. */
export async function storeWithFile(
  { queue, audioStore, ownerId }: { queue: Queue; audioStore: AudioStore; ownerId: string },
  { name = 'call.wav', ...overrides }: Partial<Parameters<typeof storeDocument>[1]> = {},
): Promise<string> {
  const file = { id: newId(), extension: 'wav' }
  const received = await audioStore.receive(Readable.from([Buffer.from('sound')]), { ...file, maxBytes: 100 })
  await received.keep()
  await storeDocument(queue.connection, { ownerId, name, ...file, ...overrides })
  return file.id
}

/** Returns whether a recording stored by `storeWithFile` still has its file. */
export async function hasStoredFile(audioStore: AudioStore, id: string): Promise<boolean> {
  return (await audioStore.size({ id, extension: 'wav' })) !== null
}

/** Sets the database's clock forward and waits until the change takes effect. */
export async function advanceDatabaseClock(connection: DatabaseConnection, offsetMs: number): Promise<void> {
  await setDatabaseClock(offsetMs)
  const target = Date.now() + offsetMs
  await expect.poll(async () => (await readDatabaseTime(connection)).getTime() > target - 10_000).toBe(true)
}
