import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId, toObjectId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { nextChange } from '#data/change-counter.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { libraryEntryModel } from '#data/library/library-entry-model.ts'
import { changeTags } from '#data/library/tags.ts'
import { insertNote } from '#data/notes/notes.ts'
import { markAnnotated } from '#data/recordings/annotations.ts'
import { recordingModel } from '#data/recordings/recording-model.ts'
import { renameRecording } from '#data/recordings/recordings.ts'
import { readStoredLines } from '#data/search/stored-lines.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { storeCall, transcribeCall } from '#testing/watched-library.ts'
import type { LibraryStep } from './changed-recording.ts'
import { createFollower } from './follow-changes.ts'
import { createLibrary } from './library.ts'

let database: TestDatabase
let queue: Queue
let poll: () => Promise<boolean>
/** The recordings that were derived. */
let derived: string[] = []
let failing: string | undefined
const ownerId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
  queue = openQueue(database.connection)
  const see: LibraryStep = async ({ id }) => {
    derived.push(id)
    if (id === failing) throw new Error('a step fails')
  }
  const steps = [see, ...createLibrary(queue).steps]
  const options = { queue, steps, holder: 'test', backgroundTasks: [], drain: new AbortController().signal }
  ;({ poll } = createFollower({ ...options, log: pino({ level: 'silent' }) }))
})
beforeEach(() => {
  failing = undefined
})
afterAll(() => database.drop())

/** Stores a transcribed recording, waits until it has been derived, and returns its id. */
async function storeDerived(): Promise<string> {
  const id = await storeCall(queue, ownerId)
  await transcribeCall(queue, ownerId, id)
  while (await poll());
  await poll()
  derived = []
  return id
}

const tag = (id: string, add: string[]) => changeTags(database.connection, ownerId, { ids: [id], add, remove: [] })

const entryOf = (id: string) => libraryEntryModel(database.connection).findById(toObjectId(id)).lean()

async function note(id: string, text: string): Promise<void> {
  const owner = { ownerId, recordingId: id }
  await insertNote(database.connection, owner, { timeMs: 0, text })
  await markAnnotated(database.connection, owner)
}

async function searchedTexts(id: string): Promise<string[]> {
  return ((await readStoredLines(database.connection, ownerId, id)) ?? []).map(({ text }) => text)
}

test('tags and names that the request wrote to the entry leave nothing to derive', async () => {
  const id = await storeDerived()
  await tag(id, ['urgent'])
  await renameRecording(database.connection, ownerId, id, 'harbour.wav')
  await poll()
  expect(derived).toEqual([])
  expect(await entryOf(id)).toMatchObject({
    tags: ['urgent'],
    foldedName: 'harbour.wav',
    version: 3,
    derivedVersion: 3,
  })
})

test('a tag whose request died before it wrote the entry reaches the entry', async () => {
  const id = await storeDerived()
  await recordingModel(database.connection).updateOne(
    { _id: toObjectId(id) },
    { $addToSet: { tags: 'lost' }, $set: { change: await nextChange(database.connection) }, $inc: { version: 1 } },
  )
  await poll()
  expect(derived).toEqual([id])
  expect(await entryOf(id)).toMatchObject({ tags: ['lost'], derivedVersion: 2 })
})

test('a note that was written before a tag is derived, and so is one after it', async () => {
  const id = await storeDerived()
  await note(id, 'before the tag')
  await tag(id, ['urgent'])
  await poll()
  expect(await searchedTexts(id)).toContain('before the tag')
  await tag(id, ['more'])
  await note(id, 'after the tag')
  await poll()
  expect(derived).toEqual([id, id])
  expect(await searchedTexts(id)).toContain('after the tag')
})

test('a job that ends as a tag is added is derived', async () => {
  const id = await storeCall(queue, ownerId)
  while (await poll());
  await tag(id, ['urgent'])
  await transcribeCall(queue, ownerId, id)
  await poll()
  expect(await searchedTexts(id)).not.toEqual([])
  expect(await entryOf(id)).toMatchObject({ tags: ['urgent'], languages: ['en'] })
})

test('what could not be derived is derived again, whatever is tagged in between', async () => {
  const id = await storeDerived()
  await note(id, 'a note')
  failing = id
  await poll()
  await tag(id, ['urgent'])
  failing = undefined
  derived = []
  await poll()
  expect(derived).toEqual([id])
})
