import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { watchActivity, type Activity } from './activity.ts'
import { nextChange, readLastChange } from './change-counter.ts'
import { repeat } from './repeat.ts'

let database: TestDatabase
const open: Activity[] = []
const intervals = { activeMs: 20, restMs: 40, activeForMs: 200 }

beforeAll(async () => {
  database = await createTestDatabase()
})
afterEach(() => {
  for (const activity of open.splice(0)) activity.close()
})
afterAll(() => database.drop())

function watch(wakeOthers?: () => void): Activity {
  const activity = watchActivity(database.connection, { intervals, ...(wakeOthers && { wakeOthers }) })
  open.push(activity)
  return activity
}

const untilRest = (activity: Activity) => vi.waitFor(() => expect(activity.isActive()).toBe(false))
const never = { activeMs: 60_000, restMs: 60_000 }

test('a process begins active, and rests when nothing has happened for a while', async () => {
  const activity = watch()
  expect(activity.isActive()).toBe(true)
  await untilRest(activity)
})

test('a change by any process ends the waits of those at rest', async () => {
  const activity = watch()
  await untilRest(activity)
  const waiting = activity.wait(never)
  await nextChange(database.connection)
  await waiting
  expect(activity.isActive()).toBe(true)
})

test('a wait while something happens is as long as asked, and ends when the process is woken', async () => {
  const activity = watch()
  let hasEnded = false
  const waiting = activity.wait(never).then(() => (hasEnded = true))
  await nextChange(database.connection)
  const changed = Promise.withResolvers<void>()
  activity.onChange(changed.resolve)
  await changed.promise
  expect(hasEnded).toBe(false)
  activity.wake()
  await waiting
})

test('announcements take one number for many', async () => {
  const [one, other] = [watch(), watch()]
  await untilRest(other)
  const before = await readLastChange(database.connection)
  await Promise.all(Array.from({ length: 20 }, one.announce))
  expect(await readLastChange(database.connection)).toBe(before + 1)
  await vi.waitFor(() => expect(other.isActive()).toBe(true))
})

test('other processes of the host are woken at once, and together for many calls', async () => {
  const wakeOthers = vi.fn<() => void>()
  const activity = watch(wakeOthers)
  for (let call = 0; call < 100; call += 1) activity.wakeAll()
  expect(wakeOthers).toHaveBeenCalledTimes(1)
  await vi.waitFor(() => expect(wakeOthers).toHaveBeenCalledTimes(2))
})

test('what is due runs at rest when its time comes, and nothing else does', async () => {
  const activity = watch()
  await untilRest(activity)
  const dueAtMs = performance.now() + 300
  const [planned, other] = [vi.fn<() => Promise<void>>(), vi.fn<() => Promise<void>>()]
  const onError = (error: unknown) => expect.unreachable(String(error))
  const dueInMs = async () => (planned.mock.calls.length > 0 ? Infinity : dueAtMs - performance.now())
  const stops = [
    repeat(activity, { run: planned, activeMs: 10, dueInMs, onError }),
    repeat(activity, { run: other, activeMs: 10, onError }),
  ]
  await vi.waitFor(() => expect(planned).toHaveBeenCalledTimes(1))
  expect(performance.now()).toBeGreaterThanOrEqual(dueAtMs)
  expect(other).not.toHaveBeenCalled()
  activity.keepActive()
  await vi.waitFor(() => expect(other.mock.calls.length).toBeGreaterThan(1))
  await Promise.all(stops.map((stop) => stop()))
  expect(planned).toHaveBeenCalledTimes(1)
})

test('what is done at an interval is not done sooner because the process is woken', async () => {
  const activity = watch()
  const [sampled, sent] = [vi.fn<() => Promise<void>>(), vi.fn<() => Promise<void>>()]
  const onError = (error: unknown) => expect.unreachable(String(error))
  const stops = [
    repeat(activity, { run: sampled, activeMs: 60_000, restMs: 60_000, onError }),
    repeat(activity, { run: sent, activeMs: 60_000, onError }),
  ]
  activity.wake()
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(1))
  await Promise.all(stops.map((stop) => stop()))
  expect(sampled).not.toHaveBeenCalled()
})
