import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { alertModel } from '#data/alerts/alert-model.ts'
import { addRecordingsToCase } from '#data/cases/case-recordings.ts'
import { caseModel } from '#data/cases/case-model.ts'
import { caseRecordingModel } from '#data/cases/case-recording-model.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { libraryEntryModel } from '#data/library/library-entry-model.ts'
import { moveToTrash } from '#data/library/trash.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { searchEntryModel } from '#data/search/search-entry-model.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createViews } from '#testing/derived-view.ts'
import { settleLibrary } from '#testing/library.ts'
import { startTestEngine } from '#testing/engine.ts'
import { fillWithCases } from '#testing/case-work.ts'
import { makeWatchingOwner, storeCall, transcribeCall, watchedTexts, watchedWord } from '#testing/watched-library.ts'
import { emptyEntry, runCheck, scanLibrary } from '../testing/library-checks.ts'

let database: TestDatabase
let queue: Queue
let ownerId: string
let lines: Record<string, unknown>[]

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  queue = openQueue(database.connection)
})
beforeEach(async () => {
  ownerId = await makeWatchingOwner(queue)
})
afterAll(() => database.drop())

/** Stores calls and waits until everything has been derived from them. */
async function storeCalls(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number += 1) {
    const id = await storeCall(queue, ownerId, `call ${number}.wav`)
    await transcribeCall(queue, ownerId, id)
    ids.push(id)
  }
  await settleLibrary(database.connection)
  return ids
}

/** Checks the whole library and returns what the check repaired. */
async function check() {
  lines = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) })
  return runCheck(queue, { log })
}

const damage = (id: string) => emptyEntry(database.connection, ownerId, id)

async function expectWhole(): Promise<void> {
  const views = createViews(queue, watchedWord)
  expect(await views.shown(ownerId)).toEqual(await views.expected(ownerId))
}

const entries = () => libraryEntryModel(database.connection)
const alerts = () => alertModel(database.connection)
const byId = (id = '') => ({ _id: toObjectId(id) })
const ofRecording = (id = '') => ({ ownerId: toObjectId(ownerId), recordingId: toObjectId(id) })

async function deleteDocument(id: string): Promise<void> {
  await recordingModel(database.connection).deleteOne(byId(id))
}

test('a library that nothing is wrong with is left as it is', async () => {
  const [id = ''] = await storeCalls(3)
  await check()
  const before = await entries().findOne(byId(id)).lean()
  expect(await check()).toMatchObject({
    repaired: { entries: 0, search: 0, alerts: 0, jobs: 0, hits: 0, cases: 0 },
    failed: 0,
  })
  expect(await entries().findOne(byId(id)).lean()).toEqual(before)
  expect(lines).toMatchObject([{ level: 30, recordings: expect.any(Number), entries: 0, failed: 0 }])
})

test('recordings whose entries were emptied are listed again, with their alerts, and nothing of them is logged', async () => {
  const [first = '', second = ''] = await storeCalls(4)
  await damage(first)
  await damage(second)
  const repaired = await check()
  expect(repaired).toMatchObject({ repaired: { entries: 2 }, failed: 0 })
  await expectWhole()
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${watchedWord}|call|${first}`, 'u'))
  await settleLibrary(database.connection)
  const again = await check()
  expect(again).toMatchObject({ repaired: { entries: 0 }, repaired_ever: repaired?.repaired_ever })
})

test('recordings whose emptied entries have expired are listed again, with the alerts of an earlier scan', async () => {
  const [id = ''] = await storeCalls(2)
  await scanLibrary(database.connection, ownerId)
  await damage(id)
  await entries().deleteOne(byId(id))
  expect(await check()).toMatchObject({ repaired: { entries: 1 } })
  await expectWhole()
})

describe('what differs from its recording is derived again', () => {
  test.each<[what: string, kind: string, change: (id: string) => Promise<unknown>]>([
    ['an entry of a later version', 'entries', (id) => entries().updateOne(byId(id), { $inc: { version: 7 } })],
    ['an entry that is hidden', 'entries', (id) => entries().updateOne(byId(id), { $set: { isRemoved: true } })],
    ['an entry with other tags', 'entries', (id) => entries().updateOne(byId(id), { $set: { tags: ['other'] } })],
    ['an entry with another state', 'entries', (id) => entries().updateOne(byId(id), { $set: { state: 3 } })],
    ['a missing entry of the search', 'search', (id) => searchEntryModel(database.connection).deleteOne(byId(id))],
    [
      'an entry of the search of an earlier text',
      'search',
      (id) =>
        searchEntryModel(database.connection).updateOne(byId(id), {
          $set: { source: '0 earlier', fingerprint: 'old' },
        }),
    ],
    ['hidden alerts', 'alerts', (id) => alerts().updateMany(ofRecording(id), { $set: { isHidden: true } })],
  ])('%s', async (_what, kind, change) => {
    const [id = ''] = await storeCalls(2)
    await check()
    await change(id)
    expect(await check()).toMatchObject({ repaired: { [kind]: 1 }, failed: 0 })
    await expectWhole()
    expect((await searchEntryModel(database.connection).findOne(byId(id)))?.lineCount).toBe(3)
  })
})

test('what a removal left shown is hidden', async () => {
  const [id = ''] = await storeCalls(2)
  await check()
  await recordingModel(database.connection).updateOne(byId(id), {
    $set: { deletedAt: new Date(), purgeAt: new Date(Date.now() + 600_000) },
    $inc: { version: 1 },
  })
  expect(await check()).toMatchObject({ repaired: { entries: 1 } })
  await expectWhole()
  await alerts().updateMany(ofRecording(id), { $set: { isHidden: false } })
  expect(await check()).toMatchObject({ repaired: { alerts: 1 } })
  await expectWhole()
})

test('what is left of recordings that are gone is removed, also from cases; what can be restored stays', async () => {
  const [gone = '', removed = ''] = await storeCalls(3)
  await moveToTrash(queue, ownerId, [removed])
  await settleLibrary(database.connection)
  await fillWithCases(database.connection, ownerId, 1)
  const own = await caseModel(database.connection)
    .findOne({ ownerId: toObjectId(ownerId) })
    .lean()
  const caseId = own?._id.toHexString() ?? newId()
  await addRecordingsToCase(database.connection, { caseId, ownerId, recordingIds: [gone, removed] })
  await check()
  await deleteDocument(gone)
  expect(await check()).toMatchObject({ failed: 0 })
  await expectWhole()
  expect(await alerts().countDocuments(ofRecording(gone))).toBe(0)
  expect(await alerts().countDocuments(ofRecording(removed))).toBe(watchedTexts.length - 1)
  const listed = await caseRecordingModel(database.connection)
    .find({ caseId: toObjectId(caseId) })
    .lean()
  expect(listed.map(({ recordingId }) => recordingId.toHexString())).toEqual([removed])
})

test('hits of keywords that the owner no longer has are counted again', async () => {
  const [id = ''] = await storeCalls(2)
  await check()
  await entries().updateOne(byId(id), { $set: { countedKeywords: 'earlier' } })
  expect(await check()).toMatchObject({ repaired: { hits: 1 } })
  await settleLibrary(database.connection)
  expect((await entries().findOne(byId(id)).lean())?.countedKeywords).not.toBe('earlier')
  expect(await check()).toMatchObject({ repaired: { hits: 0 } })
})

test('a library that the fault damaged is whole after one start of an engine', async () => {
  const [first = '', second = ''] = await storeCalls(4)
  await damage(first)
  await damage(second)
  await entries().deleteOne(byId(second))
  const dataDir = await mkdtemp(join(tmpdir(), 'awaz-check-'))
  const engine = await startTestEngine({ connection: database.connection, dataDir })
  onTestFinished(async () => {
    await engine.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const views = createViews(queue, watchedWord)
  const expected = await views.expected(ownerId)
  await expect.poll(() => views.shown(ownerId), { timeout: 30_000 }).toEqual(expected)
})
