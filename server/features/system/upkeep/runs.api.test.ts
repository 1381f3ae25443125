import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemFactModel } from '#data/system/system-fact-model.ts'
import { ensureIndexes } from '#data/indexes.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { createTestClock } from '#testing/test-clock.ts'
import { createRuns } from './runs.ts'

const log = { debug: () => undefined, warn: () => undefined }
const checks = { kind: 'checks', subject: null } as const
let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
  await ensureIndexes(database.connection)
})
afterAll(() => database.drop())

function openRuns() {
  const runs = createRuns({ connection: database.connection, clock: createTestClock(), log })
  onTestFinished(() => runs.close())
  return runs
}

/** Work that runs until it is ended. */
function endless({ signal }: { signal: AbortSignal }): Promise<void> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
}

test('one run at a time on all servers, each of which shows how far it is', async () => {
  const [first, second] = [openRuns(), openRuns()]
  const more = Promise.withResolvers<void>()
  await first.start(checks, async ({ onProgress }) => {
    onProgress({ stage: 'settings', done: 2, total: 19 })
    await more.promise
  })
  await expect(second.start(checks, endless)).rejects.toMatchObject({ code: 'conflict' })
  await expect(second.duringTurn(new AbortController().signal, async () => 1)).rejects.toMatchObject({
    code: 'conflict',
  })
  await expect.poll(() => second.find('checks')).toMatchObject({ stage: 'settings', done: 2, total: 19, outcome: null })
  expect(await second.isBusy()).toBe(true)
  more.resolve()
  await expect.poll(() => second.isBusy()).toBe(false)
  expect(await second.find('checks')).toMatchObject({ outcome: 'done', problem: null })
  expect(await second.duringTurn(new AbortController().signal, async () => 1)).toBe(1)
})

test('a run is ended by its own server at once, and by another', async () => {
  const [first, second] = [openRuns(), openRuns()]
  const own = await first.start(checks, endless)
  expect(await first.cancel(own.id)).toMatchObject({ id: own.id, outcome: 'cancelled' })
  const foreign = await first.start({ kind: 'rehearsal', subject: 'a' }, endless)
  await second.cancel(foreign.id)
  await expect.poll(() => second.find('rehearsal')).toMatchObject({ outcome: 'cancelled', subject: 'a' })
  await expect(second.cancel('f'.repeat(24))).rejects.toMatchObject({ code: 'not_found' })
})

test('a run that fails says why, and one of a server that stops was interrupted', async () => {
  const runs = openRuns()
  await runs.start(checks, () => Promise.reject(new Error('There is no database.')))
  await expect.poll(() => runs.find('checks')).toMatchObject({ outcome: 'failed', problem: 'There is no database.' })
  await expect.poll(() => runs.isBusy()).toBe(false)
  await runs.start(checks, endless)
  await runs.close()
  expect(await openRuns().find('checks')).toMatchObject({ outcome: 'interrupted' })
  expect(await openRuns().isBusy()).toBe(false)
})

test('a run whose server died was interrupted', async () => {
  const runs = openRuns()
  const run = { ...checks, id: 'a'.repeat(24), started_at: '2026-01-02T03:04:05.000Z', stage: null, done: null }
  const died = { ...run, total: null, ended_at: null, outcome: null, problem: null, alive_until: Date.now() - 1 }
  const facts = systemFactModel(database.connection)
  await facts.updateOne({ _id: 'upkeep_checks_run' }, { $set: { value: JSON.stringify(died) } }, { upsert: true })
  expect(await runs.find('checks')).toMatchObject({ outcome: 'interrupted', ended_at: expect.any(String) })
})
