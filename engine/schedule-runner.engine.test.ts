import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { watchActivity, type Activity } from '#data/activity.ts'
import { holdFollowerLease, readFollowerPosition, saveFollowerPosition } from '#data/followers/follower-lease.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { startSchedule, type ScheduledTask } from './schedule-runner.ts'

let database: TestDatabase
let activity: Activity
let stops: (() => Promise<void>)[] = []
const hourMs = 3_600_000
const log = pino({ level: 'silent' })

beforeAll(async () => {
  database = await createTestDatabase()
  activity = watchActivity(database.connection)
})
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
})
afterAll(async () => {
  activity.close()
  await database.drop()
})

/** Starts the schedule of one engine. */
function start(holder: string, tasks: ScheduledTask[], lookMs = 30) {
  const drain = new AbortController()
  const { connection } = database
  const { stopped } = startSchedule({ connection, holder, activity, tasks, drain: drain.signal, log, lookMs })
  stops.push(async () => {
    drain.abort()
    await stopped
  })
}

test('a task at an interval runs in one of all engines', async () => {
  let runs = 0
  const task = { name: 'hourly', everyMs: hourMs, run: async () => (runs += 1) }
  const looks = { one: 0, two: 0 }
  for (const holder of ['one', 'two'] as const) {
    const look = { name: `look ${holder}`, everyMs: 1, isDue: async () => (looks[holder] += 1) < 0, run: async () => 0 }
    start(holder, [task, look])
  }
  await vi.waitFor(() => expect(Math.min(...Object.values(looks))).toBeGreaterThan(3))
  expect(runs).toBe(1)
})

test('a task that ran in the future, as after the clock was set back, runs soon', async () => {
  const { connection } = database
  const lease = { name: 'schedule tidy', holder: 'before' }
  await holdFollowerLease(connection, { ...lease, holder: 'one' })
  await saveFollowerPosition(connection, { ...lease, holder: 'one' }, Date.now() + 25 * hourMs)
  let runs = 0
  start('one', [{ name: 'tidy', everyMs: hourMs, run: async () => (runs += 1) }])
  await vi.waitFor(() => expect(runs).toBe(1))
  expect(await readFollowerPosition(connection, lease.name)).toBeLessThan(Date.now() + hourMs)
})

test('a task that says itself whether it is due runs as long as it is, and one that fails holds up no other', async () => {
  let left = 3
  const failing = {
    name: 'failing',
    everyMs: 1,
    isDue: async () => true,
    run: () => Promise.reject(new Error('no room')),
  }
  const counting = { name: 'counting', everyMs: 1, isDue: async () => left > 0, run: async () => (left -= 1) }
  start('one', [failing, counting])
  await vi.waitFor(() => expect(left).toBe(0))
})

test('a task that another engine runs is left to it', async () => {
  const running = Promise.withResolvers<void>()
  let runs = 0
  const long = { name: 'long', everyMs: 1, isDue: async () => true, run: () => ((runs += 1), running.promise) }
  start('one', [long])
  await vi.waitFor(() => expect(runs).toBe(1))
  let looks = 0
  start('two', [{ ...long, isDue: async () => ((looks += 1), true) }])
  await vi.waitFor(() => expect(looks).toBeGreaterThan(3))
  expect(runs).toBe(1)
  running.resolve()
})
