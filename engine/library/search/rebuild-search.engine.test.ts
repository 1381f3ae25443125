import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue } from '#data/jobs/queue.ts'
import { readSearchStatus } from '#data/search/rebuild.ts'
import { searchBlockModel } from '#data/search/search-block-model.ts'
import { searchEntryModel } from '#data/search/search-entry-model.ts'
import { readStoredLines } from '#data/search/stored-lines.ts'
import { writeSearchEntry } from '#data/search/write-entry.ts'
import { createTestDatabase, hasDatabaseClock, setDatabaseClock, type TestDatabase } from '#testing/database.ts'
import { storeDocument } from '#testing/recordings.ts'
import { storeFinishedJob } from '#testing/stored-work.ts'
import { makeTranscription } from '#testing/work.ts'
import { rebuildSearch } from './rebuild-search.ts'

let database: TestDatabase
const ownerId = newId()
const recordings: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  for (let number = 0; number < 5; number++) {
    const { id } = await storeDocument(database.connection, { ownerId })
    await storeFinishedJob(openQueue(database.connection), {
      ownerId,
      recordingId: id,
      params: { kind: 'transcribe', language: 'auto', channelLanguages: null },
      workKey: newId(),
      outcome: { result: makeTranscription(), languages: ['ps'] },
    })
    recordings.push(id)
  }
})
afterAll(async () => {
  await setDatabaseClock(0)
  await database.drop()
})

const ordinals = async () =>
  (await searchEntryModel(database.connection).find().sort({ _id: 1 }).lean()).map(({ ordinal }) => ordinal)

async function rebuild(maxRecordings = 100): Promise<number> {
  const stop = new AbortController()
  const onRecording = (count: number) => void (count === maxRecordings && stop.abort())
  return rebuildSearch(openQueue(database.connection), { signal: stop.signal, onRecording })
}

test('an interrupted rebuild goes on where it ended, then every recording has its words and lines', async () => {
  const gone = newId()
  const lines = [{ kind: 'line' as const, start: 0, end: 1, speaker: null, language: null, text: 'gone' }]
  await writeSearchEntry(database.connection, { ownerId, id: gone }, { lines, fingerprint: 'old', language: null })
  expect(await rebuild(3)).toBe(3)
  expect(await rebuild()).toBe(2)
  for (const id of recordings) expect(await readStoredLines(database.connection, ownerId, id)).toHaveLength(2)
  expect(await readStoredLines(database.connection, ownerId, gone)).toBeNull()
  expect(await readSearchStatus(database.connection)).toMatchObject([{ ownerId, recordings: 5 }])
})

test.runIf(hasDatabaseClock)('a rebuild writes again what is lost', async () => {
  await searchBlockModel(database.connection).deleteMany({ ownerId: toObjectId(ownerId) })
  await setDatabaseClock(600_000)
  const before = await ordinals()
  expect(await rebuild()).toBe(5)
  expect((await ordinals()).every((ordinal, index) => ordinal > (before[index] ?? 0))).toBe(true)
  expect(await searchBlockModel(database.connection).countDocuments({ ownerId: toObjectId(ownerId) })).toBeGreaterThan(
    0,
  )
})
