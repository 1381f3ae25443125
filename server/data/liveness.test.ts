import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startKillableDatabase, type KillableDatabase } from '#testing/killable-database.ts'
import { connectDatabase, type Database } from './connect.ts'
import { watchLiveness } from './liveness.ts'

let running: KillableDatabase
let database: Database
let end: () => void
const onStuck = vi.fn<() => void>()

beforeEach(async () => {
  onStuck.mockClear()
  running = await startKillableDatabase()
  database = await connectDatabase({ mongodbUri: running.uri })
  end = watchLiveness({ database, uri: running.uri, onStuck, intervalMs: 100 })
})
afterEach(async () => {
  end()
  await database.close()
  await running.remove()
})

test('reports once a process whose own connection is lost for good while the database serves others', async () => {
  await database.connection.getClient().close()
  await vi.waitFor(() => expect(onStuck).toHaveBeenCalled(), { timeout: 20_000, interval: 50 })
  expect(onStuck).toHaveBeenCalledTimes(1)
})

test('the process waits for an unreachable database and goes on when it is reachable again', async () => {
  const failures = vi.fn<() => void>()
  database.connection.getClient().on('serverHeartbeatFailed', failures)
  await running.stop()
  await vi.waitFor(() => expect(failures.mock.calls.length).toBeGreaterThan(10), { timeout: 30_000, interval: 50 })
  await running.start()
  await vi.waitFor(() => database.connection.db?.command({ ping: 1 }), { timeout: 5000, interval: 50 })
  expect(onStuck).not.toHaveBeenCalled()
}, 60_000)
