import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, toObjectId } from '#data/ids.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { ensureIndexes } from '../indexes.ts'
import { batchModel } from './batch-model.ts'
import { findBatch, insertBatch, resumeBatch, saveCounts } from './batches.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
afterAll(() => database.drop())

test('a batch that is made to run again while its end is being written goes on', async () => {
  const { connection } = database
  const ownerId = newId()
  const asked = { ownerId, transcribe: null, targetLanguages: [], redo: false }
  const { id, startedAt } = await insertBatch(connection, asked, [newId()])
  const earlier = { startedAt: new Date(startedAt.getTime() - 1_000) }
  await batchModel(connection).updateOne({ _id: toObjectId(id) }, { $set: earlier })
  await resumeBatch(connection, ownerId, id)
  const counts = { waiting: 0, running: 0, done: 0, failed: 1, skipped: 0, cancelled: 0 }
  await saveCounts(connection, { id, ownerId, state: 'running', ...earlier }, counts)
  expect(await findBatch(connection, ownerId, id)).toMatchObject({ state: 'running', finishedAt: null })
})
