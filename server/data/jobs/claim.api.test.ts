import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { makeJob, takeJob } from '#testing/jobs.ts'
import { countPassedOver, deleteAllJobs, patchJob, readJob } from '#testing/stored-work.ts'
import { newId } from '../ids.ts'
import { ensureIndexes } from '../indexes.ts'
import { insertRecording } from '../recordings/recordings.ts'
import { claimJob, type JobChoice } from './claim.ts'
import { openQueue, type Queue } from './queue.ts'

let database: TestDatabase
let queue: Queue
const ownerId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
})
beforeEach(() => deleteAllJobs(queue))
afterAll(() => database.drop())

const speechLoaded: JobChoice = { isModelLoaded: ({ kind }) => kind === 'transcribe' }

function makeTranslation(owner = ownerId) {
  const languages = { sourceLanguage: 'ps', targetLanguage: 'en' }
  const params = { kind: 'translate' as const, sourceId: null, transcriptionId: null, ...languages, context: null }
  return makeJob(queue, { ownerId: owner, params })
}

async function makeTranscription({ owner = ownerId, seconds = 20 } = {}) {
  const id = newId()
  const facts = { name: 'call.wav', extension: 'wav', sizeBytes: 1, sha256: 'none', channels: 1, isStereo: false }
  await insertRecording(database.connection, { id, ownerId: owner, durationMs: seconds * 1000, ...facts, peaks: [] })
  const params = { kind: 'transcribe' as const, language: 'ps' as const, channelLanguages: null, names: [] }
  return makeJob(queue, { ownerId: owner, recordingId: id, params })
}

async function takeAll(choice: JobChoice): Promise<string[]> {
  const kinds: string[] = []
  for (let job = await claimJob(queue, 'engine', choice); job; job = await claimJob(queue, 'engine', choice)) {
    kinds.push(job.kind)
  }
  return kinds
}

test('a short job whose model is loaded goes first', async () => {
  await makeTranslation()
  const transcription = await makeTranscription()
  expect((await claimJob(queue, 'engine', speechLoaded))?.id).toEqual(transcription.id)
})

test('the next four turns may go first, then it is the turn of the job that waited', async () => {
  await makeTranslation()
  for (let index = 0; index < 8; index += 1) await makeTranscription()
  expect((await takeAll(speechLoaded)).indexOf('translate')).toBe(4)
})

test('a job is passed over at most four times, however many short ones arrive', async () => {
  const waiting = await makeTranslation()
  for (let index = 0; index < 10; index += 1) await makeTranscription({ owner: newId() })
  const kinds = [0, 1, 2, 3].map(async () => (await claimJob(queue, 'engine', speechLoaded))?.kind)
  expect(await Promise.all(kinds)).not.toContain(undefined)
  for (let index = 0; index < 4; index += 1) await claimJob(queue, 'engine', speechLoaded)
  const job = await readJob(queue, waiting.id)
  expect(job).toMatchObject({ state: 'running' })
  // It may be less: where another engine took the short job first, nothing overtook it.
  expect(job?.passedOver ?? 0).toBeLessThanOrEqual(4)
})

test('no job overtakes one that was passed over four times', async () => {
  await makeTranslation()
  const second = await makeTranslation(newId())
  for (let index = 0; index < 6; index += 1) await makeTranscription({ owner: newId() })
  await patchJob(queue, second.id, { passedOver: 4 })
  expect((await takeAll(speechLoaded)).slice(0, 3)).toEqual(['translate', 'translate', 'transcribe'])
})

test('a long recording overtakes no job', async () => {
  const first = await makeTranslation()
  await makeTranscription({ seconds: 121 })
  expect((await claimJob(queue, 'engine', speechLoaded))?.id).toEqual(first.id)
})

test('work of which the model is loaded keeps its order', async () => {
  const jobs = [await makeTranscription(), await makeTranscription()]
  const taken = [await claimJob(queue, 'engine', speechLoaded), await claimJob(queue, 'engine', speechLoaded)]
  expect(taken.map((job) => job?.id)).toEqual(jobs.map(({ id }) => id))
})

test('a latecomer waits for nobody’s backlog while others are passed over', async () => {
  for (let index = 0; index < 20; index += 1) await (index % 2 === 0 ? makeTranslation() : makeTranscription())
  for (let index = 0; index < 3; index += 1) await claimJob(queue, 'engine', speechLoaded)
  const late = await makeTranslation(newId())
  const order: string[] = []
  while (!order.some((id) => id === late.id)) order.push((await takeJob(queue)).id)
  expect(order.length).toBeLessThanOrEqual(5)
})

test('an engine leaves jobs that it cannot do, even at the head of the queue', async () => {
  const wide = openQueue(database.connection, { maxQueuedPerUser: 100 })
  for (let index = 0; index < 60; index += 1) await makeJob(wide, { ownerId })
  const translation = await makeTranslation()
  const choice: JobChoice = { canRun: ({ kind }) => kind === 'translate' }
  expect((await claimJob(queue, 'engine', choice))?.id).toEqual(translation.id)
  expect(await claimJob(queue, 'engine', choice)).toBeNull()
  expect(await countPassedOver(queue)).toBe(0)
})

test('engines that poll at the same moment take different jobs', async () => {
  for (let index = 0; index < 6; index += 1) await makeTranslation()
  const taken = await Promise.all([1, 2, 3, 4, 5, 6].map((number) => claimJob(queue, `engine ${number}`)))
  expect(new Set(taken.map((job) => job?.id)).size).toBe(6)
})
