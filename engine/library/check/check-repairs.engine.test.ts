import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { saveAlertDigest, takeDigestAlerts } from '#data/alerts/alert-digests.ts'
import { alertModel } from '#data/alerts/alert-model.ts'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { jobModel } from '#data/jobs/job-model.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { createKeywordRepository } from '#data/keywords/keywords.ts'
import { readLibraryCheck } from '#data/library/library-checks.ts'
import { libraryEntryModel } from '#data/library/library-entry-model.ts'
import { moveToTrash } from '#data/library/trash.ts'
import { findRecount } from '#data/library/recount.ts'
import { lineEditsModel, saveLineEdits } from '#data/line-edits/line-edits.ts'
import { insertNote } from '#data/notes/notes.ts'
import { markAnnotated } from '#data/recordings/annotations.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { searchEntryModel } from '#data/search/search-entry-model.ts'
import { deliveryModel } from '#data/webhooks/delivery-model.ts'
import { insertWebhook } from '#data/webhooks/webhooks.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createViews } from '#testing/derived-view.ts'
import { makeJob } from '#testing/jobs.ts'
import { openLibraryFollower, settleLibrary } from '#testing/library.ts'
import { readJob } from '#testing/stored-work.ts'
import { makeWatchingOwner, storeCall, transcribeCall, watchedTexts, watchedWord } from '#testing/watched-library.ts'
import type { ChangedRecording } from '../changed-recording.ts'
import { createLibrary } from '../library.ts'
import { checkLibrary, createLibraryCheck } from './check-library.ts'
import { emptyEntry, runCheck, scanLibrary } from '../testing/library-checks.ts'

let database: TestDatabase
let queue: Queue
let ownerId: string

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  queue = openQueue(database.connection)
})
beforeEach(async () => {
  ownerId = await makeWatchingOwner(queue)
})
afterAll(() => database.drop())

/** Stores a call and waits until everything has been derived from it. */
async function storeDerivedCall(texts = watchedTexts): Promise<string> {
  const id = await storeCall(queue, ownerId)
  await transcribeCall(queue, ownerId, id, texts)
  await settleLibrary(database.connection)
  return id
}

/** Stores a call with edits and waits until everything has been derived from it. */
async function storeEditedCall(): Promise<string> {
  const recordingId = await storeCall(queue, ownerId)
  const transcriptionId = await transcribeCall(queue, ownerId, recordingId)
  await saveLineEdits(database.connection, { ownerId, recordingId, transcriptionId }, { revision: 1, edits: [] })
  await settleLibrary(database.connection)
  return recordingId
}

/** Makes the edits of a call unreadable until the test has finished. */
async function damageEdits(id: string): Promise<void> {
  const place = { ownerId: toObjectId(ownerId), recordingId: toObjectId(id) }
  const edits = lineEditsModel(database.connection)
  await edits.updateOne(place, { data: Buffer.of(7) })
  onTestFinished(async () => void (await edits.deleteMany(place)))
}

async function storeDamagedCall(): Promise<string> {
  const id = await storeEditedCall()
  await damageEdits(id)
  return id
}

const check = () => runCheck(queue)
const byId = (id: string) => ({ _id: toObjectId(id) })
const entries = () => libraryEntryModel(database.connection)
const searchEntries = () => searchEntryModel(database.connection)

/** Returns steps that add each recording they run for to `derived`. */
function watchSteps(derived: ChangedRecording[]) {
  return [async (changed: ChangedRecording) => void derived.push(changed), ...createLibrary(queue).steps]
}

async function expectWhole(): Promise<void> {
  const views = createViews(queue, watchedWord)
  expect(await views.shown(ownerId)).toEqual(await views.expected(ownerId))
}

describe('one damaged recording keeps no other back', () => {
  test('where its edits cannot be read, which its entry does not need', async () => {
    const other = await storeDerivedCall()
    const damaged = await storeDamagedCall()
    expect(await check()).toMatchObject({ failed: 0 })
    for (const id of [damaged, other]) await searchEntries().deleteOne(byId(id))
    expect(await check()).toMatchObject({ repaired: { search: 1 }, failed: 1 })
  })

  test('where its edits cannot be read and its entry was emptied: it is listed again, by its name', async () => {
    const damaged = await storeEditedCall()
    await scanLibrary(database.connection, ownerId)
    await damageEdits(damaged)
    await emptyEntry(database.connection, ownerId, damaged)
    expect(await check()).toMatchObject({ repaired: { entries: 0 }, failed: 1 })
    expect(await entries().findOne(byId(damaged)).lean()).not.toHaveProperty('deletedAt')
  })

  test('where it cannot be compared', async () => {
    const [damaged, other] = [await storeDerivedCall(), await storeDerivedCall()]
    await check()
    const recordings = recordingModel(database.connection)
    await recordings.updateOne(byId(damaged), { $unset: { name: 1 } })
    onTestFinished(async () => void (await recordings.updateOne(byId(damaged), { name: 'call.wav' })))
    await entries().updateOne(byId(other), { $set: { isRemoved: true } })
    expect(await check()).toMatchObject({ repaired: { entries: 1 }, failed: 1 })
  })

  test('where a document of its page cannot be read', async () => {
    const [damaged, other] = [await storeDerivedCall(), await storeDerivedCall()]
    await check()
    const recordings = recordingModel(database.connection)
    await recordings.collection.updateOne(byId(damaged), { $set: { restoredVersion: { damaged: true } } })
    onTestFinished(async () => void (await recordings.updateOne(byId(damaged), { $unset: { restoredVersion: 1 } })))
    await entries().updateOne(byId(other), { $set: { isRemoved: true } })
    expect(await check()).toMatchObject({ repaired: { entries: 1 }, failed: 1 })
  })
})

describe('the search', () => {
  test('of a recording without words is derived once, and no repair', async () => {
    const id = await storeDerivedCall([])
    await searchEntries().deleteOne(byId(id))
    expect(await check()).toMatchObject({ repaired: { search: 0 }, failed: 0 })
    const derived: ChangedRecording[] = []
    await runCheck(queue, { steps: watchSteps(derived) })
    expect(derived).toEqual([])
  })

  test('of a recording that has only notes is repaired', async () => {
    const recordingId = await storeCall(queue, ownerId)
    await insertNote(database.connection, { ownerId, recordingId }, { timeMs: 0, text: 'at the river' })
    await markAnnotated(database.connection, { ownerId, recordingId })
    await settleLibrary(database.connection)
    await check()
    await searchEntries().deleteOne(byId(recordingId))
    expect(await check()).toMatchObject({ repaired: { search: 1 } })
    expect(await searchEntries().findOne(byId(recordingId))).toMatchObject({ lineCount: 1 })
  })

  test('of an earlier version gets the state that it is of, and is repaired where its lines are others', async () => {
    const [same, other] = [await storeDerivedCall(), await storeDerivedCall()]
    await check()
    for (const id of [same, other]) await searchEntries().updateOne(byId(id), { $unset: { source: 1 } })
    await searchEntries().updateOne(byId(other), { fingerprint: 'earlier' })
    expect(await check()).toMatchObject({ repaired: { search: 1 } })
    for (const id of [same, other]) expect((await searchEntries().findOne(byId(id)))?.source).toBeDefined()
  })
})

test('an entry of the search of an older format is written again, which repairs nothing', async () => {
  const id = await storeDerivedCall()
  await check()
  const before = await searchEntries().findOne(byId(id))
  // Without the format number, as the first format was written.
  await searchEntries().updateOne(byId(id), { source: before?.source?.replace(/^\d+:/u, '') })
  expect(await check()).toMatchObject({ repaired: { search: 0 }, failed: 0 })
  const after = await searchEntries().findOne(byId(id))
  expect(after?.source).toBe(before?.source)
  expect(after?.ordinal).toBeGreaterThan(before?.ordinal ?? Infinity)
})

describe('alerts that are raised again', () => {
  const dayMs = 24 * 3_600_000

  test('come with the next check where a repair was interrupted, also those of a scan', async () => {
    const id = await storeDerivedCall()
    await scanLibrary(database.connection, ownerId)
    await emptyEntry(database.connection, ownerId, id)
    const failing = () => Promise.reject(new Error('Killed'))
    expect(await runCheck(queue, { steps: [failing] })).toMatchObject({ failed: 1 })
    expect(await check()).toMatchObject({ repaired: { entries: 1 }, failed: 0 })
    await expectWhole()
  })

  test.each([
    { days: 2, count: 0 },
    { days: 0, count: 1 },
  ])('of a job of $days days ago: webhooks and mails $count', async ({ days, count }) => {
    const id = await storeDerivedCall()
    await insertWebhook(database.connection, {
      id: newId(),
      ownerId,
      url: 'https://receiver.example/hook',
      events: ['alert.raised'],
      sealedSecret: 'sealed',
    })
    const settings = { mode: 'daily' as const, hour: 7, timeZone: 'Etc/UTC', withContent: false }
    await saveAlertDigest(database.connection, { ownerId, ...settings }, new Date())
    const at = new Date(Date.now() - days * dayMs)
    await jobModel(database.connection).updateOne({ recordingId: toObjectId(id) }, { finishedAt: at })
    const longAgo = { $set: { activeSince: new Date(0), enabledAt: new Date(0) } }
    for (const name of ['watch_lists', 'webhooks'])
      await database.connection.collection(name).updateMany({ ownerId: toObjectId(ownerId) }, longAgo)
    await emptyEntry(database.connection, ownerId, id)
    expect(await check()).toMatchObject({ repaired: { entries: 1 } })
    expect(await alertModel(database.connection).countDocuments({ ownerId: toObjectId(ownerId) })).toBe(2)
    expect(await deliveryModel(database.connection).countDocuments({ ownerId: toObjectId(ownerId) })).toBe(count)
    expect(await takeDigestAlerts(database.connection, { ownerId, digestId: newId() })).toMatchObject({
      recordingCount: count,
    })
  })
})

test('hits that cannot be counted are tried again with other keywords only', async () => {
  const id = await storeDamagedCall()
  await check()
  await entries().updateOne(byId(id), { $set: { countedKeywords: 'earlier' } })
  expect(await check()).toMatchObject({ repaired: { hits: 1 } })
  const follower = openLibraryFollower(database.connection)
  while (await findRecount(database.connection)) await follower.settle()
  expect(await check()).toMatchObject({ repaired: { hits: 0 } })
  await entries().updateOne(byId(id), { $set: { uncountableKeywords: 'earlier' } })
  expect(await check()).toMatchObject({ repaired: { hits: 1 } })
})

test('hits are no repair where keywords changed, and were counted, after the page of their entries was read', async () => {
  await storeDerivedCall()
  ownerId = await makeWatchingOwner(queue)
  await storeDerivedCall()
  const part = checkLibrary({ queue, steps: createLibrary(queue).steps, log: pino({ level: 'silent' }) })
  const count = await recordingModel(database.connection).countDocuments()
  for (let checked = 1; checked < count; checked += 1) await part.next()
  const keyword = { category: 'custom' as const, keyword: 'boat', soundsLike: false }
  await createKeywordRepository(database.connection).insert(ownerId, keyword)
  await settleLibrary(database.connection)
  while (!(await part.next()).done);
  expect(await readLibraryCheck(database.connection)).toMatchObject({ repaired: { hits: 0 } })
})

test('jobs wait while their recording is in the trash, and only then', async () => {
  const recordingId = await storeDerivedCall()
  const { id } = await makeJob(queue, { ownerId, recordingId })
  await settleLibrary(database.connection)
  await check()
  await jobModel(database.connection).updateOne(byId(id), { $set: { isHeld: true } })
  expect(await check()).toMatchObject({ repaired: { jobs: 1 }, failed: 0 })
  expect(await readJob(queue, id)).not.toHaveProperty('isHeld')
  await moveToTrash(queue, ownerId, [recordingId])
  await check()
  await jobModel(database.connection).updateOne(byId(id), { $unset: { isHeld: 1 } })
  expect(await check()).toMatchObject({ repaired: { jobs: 1 }, failed: 0 })
  expect(await readJob(queue, id)).toMatchObject({ isHeld: true })
})

test('a check that another process may have repeated begins anew', async () => {
  const [first, second] = [await storeDerivedCall(), await storeDerivedCall()]
  const log = pino({ level: 'silent' })
  const { task } = createLibraryCheck({ queue, steps: createLibrary(queue).steps, log, maxStepMs: 0 })
  for (const id of [first, second]) await emptyEntry(database.connection, ownerId, id)
  const before = new AbortController().signal
  while (await entries().exists({ ...byId(first), isRemoved: true })) await task(before)
  await emptyEntry(database.connection, ownerId, first)
  const now = new AbortController().signal
  while (await task(now));
  await expectWhole()
})
