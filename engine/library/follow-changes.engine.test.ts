import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resetFollower } from '#data/followers/follower-lease.ts'
import { nextChange } from '#data/change-counter.ts'
import { newId } from '#data/ids.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { openQueue, type Queue } from '#data/jobs/queue.ts'
import { renameRecording } from '#data/recordings/recordings.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { storeDocument } from '#testing/recordings.ts'
import type { LibraryBackgroundTask, ChangedRecording, LibraryStep } from './changed-recording.ts'
import { createFollower, libraryFollower } from './follow-changes.ts'

let database: TestDatabase
let queue: Queue
let seen: ChangedRecording[]
const ownerId = newId()

beforeAll(async () => {
  database = await createTestDatabase()
  queue = openQueue(database.connection)
  await ensureIndexes(database.connection)
})
beforeEach(async () => {
  seen = []
  await resetFollower(database.connection, libraryFollower)
})
afterAll(() => database.drop())

interface FollowOptions {
  holder?: string
  step?: LibraryStep
  steps?: LibraryStep[]
  backgroundTasks?: LibraryBackgroundTask[]
}

const see: LibraryStep = async (changed) => void seen.push(changed)

function follow({ holder = 'one', step = see, steps = [step], backgroundTasks = [] }: FollowOptions = {}) {
  const drain = new AbortController().signal
  return createFollower({ queue, holder, steps, backgroundTasks, drain, log: pino({ level: 'silent' }) })
}

/** Handles everything written so far. */
async function catchUp(follower: ReturnType<typeof follow>) {
  while (await follower.poll());
  await follower.poll()
}

const seenNames = () => seen.map(({ current }) => current?.recording.name)

test('handles a recording when it is created and again when it changes, and nothing in between', async () => {
  const follower = follow()
  const { id } = await storeDocument(database.connection, { ownerId, name: 'first.wav' })
  await follower.poll()
  expect(seen.at(-1)).toMatchObject({ id, ownerId, current: { recording: { name: 'first.wav' } } })
  seen = []
  await follower.poll()
  expect(seen).toEqual([])
  await renameRecording(database.connection, ownerId, id, 'second.wav')
  await follower.poll()
  expect(seenNames()).toEqual(['second.wav'])
})

test('a process that begins handles everything that was written before', async () => {
  const names = Array.from({ length: 130 }, (_, index) => `call-${index}.wav`)
  for (const name of names) await storeDocument(database.connection, { ownerId, name })
  const follower = follow()
  await catchUp(follower)
  expect(seenNames()).toEqual(expect.arrayContaining(names))
})

test('only one process follows until it stops', async () => {
  const [one, two] = [follow(), follow({ holder: 'two' })]
  await catchUp(one)
  const { id } = await storeDocument(database.connection, { ownerId })
  seen = []
  await two.poll()
  expect(seen).toEqual([])
  await one.release()
  await catchUp(two)
  expect(seen.map((changed) => changed.id)).toContain(id)
})

test('a step that fails is tried again without holding up other recordings', async () => {
  let failures = 2
  const follower = follow({
    async step(changed) {
      if (changed.current?.recording.name === 'broken.wav' && failures-- > 0) throw new Error('no room')
      seen.push(changed)
    },
  })
  await catchUp(follower)
  const broken = await storeDocument(database.connection, { ownerId, name: 'broken.wav' })
  const whole = await storeDocument(database.connection, { ownerId, name: 'whole.wav' })
  await follower.poll()
  expect(seen.map(({ id }) => id)).toContain(whole.id)
  expect(seen.map(({ id }) => id)).not.toContain(broken.id)
  await follower.poll()
  await follower.poll()
  expect(seen.map(({ id }) => id)).toContain(broken.id)
})

test('what fails for long is done once it can be, also by another process, and one step keeps no other back', async () => {
  let isFull = true
  const steps = [
    async ({ current }: ChangedRecording) => {
      if (isFull && current?.recording.name === 'broken.wav') throw new Error('no room')
    },
    async (changed: ChangedRecording) => void seen.push(changed),
  ]
  const one = follow({ steps })
  await catchUp(one)
  const { id } = await storeDocument(database.connection, { ownerId, name: 'broken.wav' })
  for (let poll = 0; poll < 12; poll += 1) await one.poll()
  expect(seen.map((changed) => changed.id)).toContain(id)
  // Far more changes than a starting process looks back over.
  for (let count = 0; count < 150; count += 1) await nextChange(database.connection)
  await storeDocument(database.connection, { ownerId })
  await one.poll()
  await one.release()
  ;[seen, isFull] = [[], false]
  await catchUp(follow({ holder: 'two', steps }))
  expect(seen.map((changed) => changed.id)).toContain(id)
})

test('background work that fails keeps none of the other work back', async () => {
  let runs = 0
  const failing = async () => {
    throw new Error('damaged')
  }
  const other = async () => (runs += 1) < 2
  const follower = follow({ backgroundTasks: [failing, other] })
  await catchUp(follower)
  for (let poll = 0; poll < 3; poll += 1) await follower.poll()
  expect(runs).toBeGreaterThan(1)
})
