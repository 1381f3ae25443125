import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { removeLibrary } from '#data/library/entries.ts'
import { libraryEntryModel } from '#data/library/library-entry-model.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { storeDocument } from '#testing/recordings.ts'
import { readCurrent } from './derive-recording.ts'
import { createWriteEntry } from './write-entry.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
afterAll(() => database.drop())

test('an entry that is written as the account is closed keeps nothing of the recording', async () => {
  const { connection } = database
  const ownerId = newId()
  const { id } = await storeDocument(connection, { ownerId, name: 'secret.wav' })
  const recording = await findRecording(connection, ownerId, id)
  if (!recording) throw new Error('not stored')
  await removeLibrary(connection, ownerId)
  await recordingModel(connection).deleteMany({ ownerId: toObjectId(ownerId) })
  const queue = openQueue(connection)
  await createWriteEntry(queue)({ id, ownerId, current: await readCurrent(queue, recording) })
  const entries = await libraryEntryModel(connection)
    .find({ ownerId: toObjectId(ownerId) })
    .lean()
  expect(entries.filter(({ foldedName, deletedAt }) => foldedName !== '' || !deletedAt)).toEqual([])
})
