import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { makeJob } from '#testing/jobs.ts'
import { settleLibrary } from '#testing/library.ts'
import { storeDocument } from '#testing/recordings.ts'
import { readJob } from '#testing/stored-work.ts'
import { applyLifecycles } from './apply-lifecycles.ts'
import { libraryEntryModel } from './library-entry-model.ts'
import { moveToTrash, restoreFromTrash } from './trash.ts'

let database: TestDatabase
let queue: Queue

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  queue = openQueue(database.connection)
})
afterAll(() => database.drop())

test('what is right already is not written again: readers of changes have nothing to read', async () => {
  const ownerId = newId()
  const { id: recordingId } = await storeDocument(database.connection, { ownerId })
  const { id: jobId } = await makeJob(queue, { ownerId, recordingId })
  await settleLibrary(database.connection)
  const read = async () => ({
    entry: await libraryEntryModel(database.connection).findById(toObjectId(recordingId)).lean(),
    job: await readJob(queue, jobId),
  })
  const moves = [
    () => Promise.resolve(),
    () => moveToTrash(queue, ownerId, [recordingId]),
    () => restoreFromTrash(queue, ownerId, [recordingId]),
  ]
  for (const move of moves) {
    await move()
    const right = await read()
    await applyLifecycles(queue, ownerId, [recordingId])
    expect(await read()).toEqual(right)
  }
})
