import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { finishNextJob, makeJob } from '#testing/jobs.ts'
import {
  listJobs,
  listSources,
  patchJob,
  readJob,
  setRecordingCreatedAt,
  setSourceUsedAt,
} from '#testing/stored-work.ts'
import { storeAudio, storeDocument } from '#testing/recordings.ts'
import { newId } from '../ids.ts'
import type { AudioStore } from '../audio-store/audio-store.ts'
import { openDiskStore } from '../audio-store/disk-store.ts'
import { ensureIndexes } from '../indexes.ts'
import { openQueue, type Queue } from '../jobs/queue.ts'
import { saveSource } from '../jobs/translation-source.ts'
import { removeExpired } from './expire.ts'
import { recordingModel } from './recording-model.ts'

const dayMs = 24 * 3600 * 1000
const ownerId = newId()
let database: TestDatabase
let queue: Queue
let folder: string
let audioStore: AudioStore

beforeAll(async () => {
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
  folder = await mkdtemp(join(tmpdir(), 'awaz-expire-'))
  audioStore = await openDiskStore(folder)
})
beforeEach(() => Promise.all(Object.values(database.connection.models).map((model) => model.deleteMany({}))))
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

/** Stores a recording that is this many days old, with its file and a finished transcription. */
async function makeRecording(daysAgo: number) {
  const file = await storeAudio(audioStore)
  const { id } = file
  await storeDocument(database.connection, { id, ownerId })
  const createdAt = new Date(Date.now() - daysAgo * dayMs)
  await setRecordingCreatedAt(queue, id, createdAt)
  await makeJob(queue, { ownerId, recordingId: id })
  await finishNextJob(queue, { ok: true })
  return { id, file }
}

/** Stores a translated text that is this many days old. */
async function makeText(text: string, daysAgo: number) {
  const at = new Date(Date.now() - daysAgo * dayMs)
  const sourceId = await saveSource(queue, { ownerId, recordingId: null }, { kind: 'text', text })
  await setSourceUsedAt(queue, sourceId, at)
  const job = await makeJob(queue, { ownerId })
  await finishNextJob(queue, { ok: true })
  await patchJob(queue, job.id, { finishedAt: at })
  return { sourceId, jobId: job.id }
}

test('recordings older than the retention go with their file and their jobs, younger ones stay', async () => {
  const old = await makeRecording(31)
  const young = await makeRecording(29)
  expect(await removeExpired({ queue, audioStore }, 30)).toEqual({ recordings: 1, texts: 0 })
  expect(await audioStore.size(old.file)).toBeNull()
  expect(await audioStore.size(young.file)).toBe(5)
  expect((await listJobs(queue)).map(({ recordingId }) => recordingId)).toEqual([young.id])
  expect(await removeExpired({ queue, audioStore }, 30)).toEqual({ recordings: 0, texts: 0 })
})

test('texts sent to be translated go with their translations; one sent again starts anew', async () => {
  const old = await makeText('old', 8)
  const again = await makeText('again', 8)
  await saveSource(queue, { ownerId, recordingId: null }, { kind: 'text', text: 'again' })
  expect(await removeExpired({ queue, audioStore }, 7)).toEqual({ recordings: 0, texts: 1 })
  expect(await listSources(queue)).toEqual([again.sourceId])
  expect(await readJob(queue, old.jobId)).toBeNull()
})

test('a retention of 0 days deletes nothing', async () => {
  const { file } = await makeRecording(10_000)
  expect(await removeExpired({ queue, audioStore }, 0)).toEqual({ recordings: 0, texts: 0 })
  expect(await audioStore.size(file)).toBe(5)
  expect(await recordingModel(database.connection).countDocuments({})).toBe(1)
})
