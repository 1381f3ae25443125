import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { storeAudio, storeDocument } from '#testing/recordings.ts'
import type { AudioStore } from '../audio-store/audio-store.ts'
import { openDiskStore } from '../audio-store/disk-store.ts'
import { ensureIndexes } from '../indexes.ts'
import { recordingModel } from './recording-model.ts'
import { reconcileAudioStore } from './reconcile-audio-store.ts'

const hourMs = 3600 * 1000
let database: TestDatabase
let root: string
let audioStore: AudioStore

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
beforeEach(async () => {
  await recordingModel(database.connection).deleteMany({})
  root = await mkdtemp(join(tmpdir(), 'awaz-tidy-'))
  audioStore = await openDiskStore(root)
  return () => rm(root, { recursive: true, force: true })
})
afterAll(() => database.drop())

/** Stores a file last written this many hours ago. */
async function makeFile(hoursAgo: number) {
  const file = await storeAudio(audioStore)
  await makeOlder(join(root, file.id.slice(-2), `${file.id}.wav`), hoursAgo)
  return file
}

async function makeOlder(path: string, hours: number) {
  const at = new Date(Date.now() - hours * hourMs)
  await utimes(path, at, at)
}

test('a file without a recording is quarantined after a day, not deleted; others stay in place', async () => {
  const [orphan, fresh, known] = [await makeFile(25), await makeFile(23), await makeFile(25)]
  await storeDocument(database.connection, { id: known.id })
  expect(await reconcileAudioStore({ connection: database.connection, audioStore })).toEqual({
    parts: 0,
    orphans: 1,
    missing: 0,
  })
  expect(await readdir(join(root, 'orphans'))).toEqual([`${orphan.id}.wav`])
  expect(await Promise.all([fresh, known].map((file) => audioStore.size(file)))).toEqual([5, 5])
})

test('the partial file of an interrupted upload is deleted after a day', async () => {
  const [old, young] = [join(root, 'parts', 'old.part'), join(root, 'parts', 'young.part')]
  for (const path of [old, young]) await writeFile(path, 'begun')
  await makeOlder(old, 25)
  expect(await reconcileAudioStore({ connection: database.connection, audioStore })).toMatchObject({ parts: 1 })
  expect(await readdir(join(root, 'parts'))).toEqual(['young.part'])
})

test('a recording whose file is missing is counted, and kept', async () => {
  await storeDocument(database.connection)
  expect(await reconcileAudioStore({ connection: database.connection, audioStore })).toMatchObject({ missing: 1 })
  expect(await recordingModel(database.connection).countDocuments({})).toBe(1)
})
