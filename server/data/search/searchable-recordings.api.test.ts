import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { storeDocument } from '#testing/recordings.ts'
import { recordingModel } from '../recordings/recording-model.ts'
import { createSearchableRecordings } from './searchable-recordings.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
afterEach(() => vi.restoreAllMocks())
afterAll(() => database.drop())

const ownerId = newId()

/** Stores a recording; with a change number, as if that change had become visible late. */
async function store(name: string, change?: number): Promise<number> {
  const { id } = await storeDocument(database.connection, { ownerId, name })
  const recordings = recordingModel(database.connection)
  const _id = toObjectId(id)
  if (change !== undefined) await recordings.updateOne({ _id }, { $set: { change } })
  return (await recordings.findOne({ _id }).lean())?.change ?? 0
}

function passTime(ms: number): void {
  const { now } = performance
  const before = now.call(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => before + ms)
}

test('a change is found that becomes visible after one with a higher number; after a minute none is looked for', async () => {
  const recordings = createSearchableRecordings(database.connection)
  const names = async () => (await recordings.read(ownerId)).map(({ name }) => name)
  const first = await store('first')
  expect(await names()).toEqual(['first'])
  await store('late', first - 1)
  expect(await names()).toEqual(['first', 'late'])
  await store('very late', first - 1)
  passTime(61_000)
  expect(await names()).toEqual(['first', 'late', 'very late'])
  await store('too late', first - 1)
  await store('new')
  expect(await names()).toEqual(['first', 'late', 'very late', 'new'])
})
