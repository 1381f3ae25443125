import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '#testing/database.ts'
import { makeJob } from '#testing/jobs.ts'
import { counterModel, nextChange } from './change-counter.ts'
import { ensureIndexes } from './indexes.ts'
import { findLastChange } from './jobs/changes.ts'
import { openQueue, type Queue } from './jobs/queue.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let queue: Queue

beforeAll(async () => {
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
})
beforeEach(() => counterModel(database.connection).deleteMany({}))
afterAll(() => database.drop())

test('writers at once get numbers of their own', async () => {
  const numbers = await Promise.all(Array.from({ length: 30 }, () => nextChange(database.connection)))
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
})

test('a counter older than its documents, as a backup may bring it back, goes on above them', async () => {
  await Promise.all(Array.from({ length: 5 }, () => nextChange(database.connection)))
  const job = await makeJob(queue)
  await counterModel(database.connection).deleteMany({})
  expect(await findLastChange(queue)).toBe(job.change)
  expect(await nextChange(database.connection)).toBe(job.change + 1)
})
