import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createTestDatabase, hasDatabaseClock, setDatabaseClock, type TestDatabase } from '#testing/database.ts'
import { makeHeartbeat } from '#testing/jobs.ts'
import { readRollCall } from '../change-counter.ts'
import { findSilentEngines } from '../health/silent-engines.ts'
import { ensureIndexes } from '../indexes.ts'
import { engineModel } from './engine-model.ts'
import { findLiveEngines, recordHeartbeat } from './engines.ts'
import { settleLiveness } from './liveness.ts'

let database: TestDatabase
const hourMs = 3_600_000

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
beforeEach(async () => {
  await engineModel(database.connection).deleteMany({})
})
afterEach(() => setDatabaseClock(0))
afterAll(() => database.drop())

const readNumber = async () => (await readRollCall(database.connection)).number
/** Records a heartbeat of an engine that knows the last roll call. */
const beat = async (id: string, isResting: boolean) =>
  recordHeartbeat(database.connection, id, { ...makeHeartbeat(), isResting, rollCall: await readNumber() })
const live = async () => (await findLiveEngines(database.connection)).map(({ id }) => id).toSorted()
const silent = async () => (await findSilentEngines(database.connection)).map(({ id }) => id)
test.runIf(hasDatabaseClock)(
  'an engine at work that is silent for 15 s has stopped, and one at rest has not',
  async () => {
    await beat('working', false)
    await beat('resting', true)
    expect(await live()).toEqual(['resting', 'working'])
    await setDatabaseClock(20_000)
    expect(await live()).toEqual(['resting'])
  },
)

test.runIf(hasDatabaseClock)('an engine at rest has stopped once it has not answered a roll call for 6 s', async () => {
  await beat('answering', true)
  await beat('dead', true)
  await setDatabaseClock(hourMs)
  expect(await live()).toEqual(['answering', 'dead'])
  await beat('answering', true)
  await setDatabaseClock(hourMs + 7_000)
  expect(await live()).toEqual(['answering'])
  expect(await silent()).toEqual(['dead'])
  // A later roll call does not bring it back.
  await setDatabaseClock(2 * hourMs)
  expect(await live()).toEqual(['answering'])
  await setDatabaseClock(3 * hourMs)
  await beat('dead', true)
  expect(await live()).toEqual(['dead'])
})

test.runIf(hasDatabaseClock)(
  'many who ask at the same moment are one roll call, and nobody is asked who has just answered',
  async () => {
    await beat('resting', true)
    const before = await readNumber()
    expect(await live()).toEqual(['resting'])
    expect(await readNumber()).toBe(before)
    await setDatabaseClock(hourMs)
    await Promise.all(Array.from({ length: 5 }, live))
    await live()
    expect(await readNumber()).toBe(before + 1)
  },
)

test.runIf(hasDatabaseClock)('a command that looks once waits for the answers', async () => {
  await beat('resting', true)
  await setDatabaseClock(10 * hourMs)
  const asked = (await readNumber()) + 1
  let isSettled = false
  const settling = settleLiveness(database.connection).then(() => (isSettled = true))
  await vi.waitFor(async () => expect(await readNumber()).toBe(asked))
  expect(isSettled).toBe(false)
  await recordHeartbeat(database.connection, 'resting', { ...makeHeartbeat(), isResting: true, rollCall: asked })
  await settling
  expect(await live()).toEqual(['resting'])
})

test.runIf(hasDatabaseClock)('an engine at rest lives also after the clock was set back', async () => {
  await setDatabaseClock(hourMs)
  await beat('resting', true)
  expect(await live()).toEqual(['resting'])
  await setDatabaseClock(0)
  expect(await live()).toEqual(['resting'])
  await beat('resting', true)
  await setDatabaseClock(hourMs - 1_000)
  expect(await live()).toEqual(['resting'])
})
