import { afterEach, beforeEach, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { createTestDatabase, type TestDatabase } from '#testing/database.ts'
import { countUnmigrated, storeEarlierData } from '#testing/earlier-data.ts'
import { findFreePort } from '#testing/free-port.ts'
import { startServerProcess } from '#testing/processes.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createMigrationRecords } from './migrations/migration-records.ts'
import { createLease } from './system/lease.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.drop())

test('a server that waits for another to migrate says so instead of ready, and is ready after it', async () => {
  const { connection } = database
  await storeEarlierData(connection, { users: 3, transcriptions: 1 })
  const lease = createLease(connection, { name: 'lock:migrations', leaseMs: 600_000 })
  await lease.acquire('another server')
  await createMigrationRecords(connection).begin('store-sort-names', 300)
  const port = await findFreePort()
  const env = { PORT: String(port), UPGRADE_WITHOUT_RESTORE_POINT: 'true' }
  const starting = startServerProcess({ dataDir: await temporaryFolder(), database, env })

  const url = `http://127.0.0.1:${port}`
  const read = async () => {
    const response = await fetch(`${url}/readyz`).catch(() => undefined)
    return response && { http: response.status, body: api.system.ready.response.parse(await response.json()) }
  }
  const message = 'migrating: store-sort-names, 0 of 300 documents'
  await expect.poll(read).toEqual({
    http: 503,
    body: { status: 'migrating', checks: { migrations: { ok: false, message } } },
  })
  const refused = await fetch(`${url}/api/languages`)
  expect([refused.status, await refused.json()]).toEqual([503, expect.objectContaining({ code: 'unavailable' })])
  expect((await fetch(`${url}/healthz`)).status).toBe(200)

  await lease.release('another server')
  const server = await starting
  expect(await countUnmigrated(connection)).toBe(0)
  expect((await read())?.body.status).not.toBe('migrating')
  expect(server.lines.filter(({ msg }) => msg === 'migration finished').map(({ migration }) => migration)).toEqual([
    'store-sort-names',
    'summarize-transcriptions',
  ])
  await server.end('SIGTERM')
})
