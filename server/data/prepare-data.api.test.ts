import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, hasDatabaseClock, openTestDatabase, type TestDatabase } from '#testing/database.ts'
import { countUnmigrated, storeEarlierData } from '#testing/earlier-data.ts'
import { mountSmallDisk } from '#testing/small-disk.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { createAuditEventRepository } from './audit/audit-events.ts'
import { nextChange } from './change-counter.ts'
import { dataVersion } from './data-version.ts'
import { ensureIndexes } from './indexes.ts'
import { createMigrationRecords, type MigrationProgress } from './migrations/migration-records.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations } from './migrations/migrations.ts'
import { storeSortNames } from './migrations/store-sort-names.ts'
import { findWritingVersion, prepareData, type PrepareOptions } from './prepare-data.ts'
import { assertRecentBackup } from './restore-points/ensure-restore-point.ts'
import { listRestorePoints } from './restore-points/restore-points.ts'
import { createSystemFactRepository } from './system/system-facts.ts'
import { userModel } from './users/user-model.ts'
import { version } from './version.ts'

let database: TestDatabase
let dataDir: string
beforeEach(async () => {
  database = await createTestDatabase()
  dataDir = await temporaryFolder()
})
afterEach(() => database.drop())

const auditEvent = {
  actorId: null,
  actor: 'command line',
  target: '',
  details: '',
  ip: '',
  requestId: '',
  action: 'backup.create',
  outcome: 'success',
  at: new Date(),
} as const
const silent = { info: () => undefined }
const storedVersion = () => createSystemFactRepository(database.connection).find('data_version')

function prepare(options: Partial<PrepareOptions> = {}): Promise<void> {
  const config = { dataDir, isRestorePointSkipped: !hasDatabaseClock }
  return prepareData({ connection: database.connection, config, log: silent, ...options })
}

test('an empty database needs no restore point, and has the migrations behind it', async () => {
  await prepare()
  expect(await createMigrationRecords(database.connection).listPending(migrations)).toEqual([])
  expect([await storedVersion(), await findWritingVersion(database.connection)]).toEqual([String(dataVersion), version])
  expect(await listRestorePoints(dataDir)).toEqual([])
})

test('data of an earlier version is migrated once', async () => {
  await storeEarlierData(database.connection, { users: 210, transcriptions: 60 })
  const seen: MigrationProgress[] = []
  await prepare({ onProgress: (progress) => seen.push(progress) })
  expect(await countUnmigrated(database.connection)).toBe(0)
  expect(seen).toContainEqual({ name: 'store-sort-names', unit: 'documents', done: 200, total: 210 })
  expect(seen).toContainEqual({ name: 'summarize-transcriptions', unit: 'documents', done: 50, total: 60 })
  const earlier = seen.length
  await prepare({ onProgress: (progress) => seen.push(progress) })
  expect(seen).toHaveLength(earlier)
})

test.runIf(hasDatabaseClock)(
  'a restore point that only this user can read is made first, without secrets',
  async () => {
    await storeEarlierData(database.connection, { users: 1, transcriptions: 0 })
    await mkdir(join(dataDir, 'secrets'))
    await prepare()
    const [point, ...others] = await listRestorePoints(dataDir)
    expect([point?.dataVersion, point?.fromVersion, others]).toEqual([0, null, []])
    expect((await readdir(point?.folder ?? '')).toSorted()).toEqual(['awaz.sqlite', 'restore-point.json'])
    expect((await stat(point?.folder ?? '')).mode & 0o777).toBe(0o700)
    expect((await stat(point?.dataFile ?? '')).mode & 0o777).toBe(0o600)
  },
)

/** A migration that fails after this many pages. */
function failingAfter(pages: number): Migration {
  let left = pages
  return {
    ...storeSortNames,
    pageSize: 10,
    async migrate(connection, ids) {
      if (left === 0) throw new Error('the machine was switched off')
      left -= 1
      await storeSortNames.migrate(connection, ids)
    },
  }
}

test('the restore point shows how far it is before the first migration does', async () => {
  await storeEarlierData(database.connection, { users: 50, transcriptions: 0 })
  const seen: MigrationProgress[] = []
  await prepare({ migrations: [storeSortNames], onProgress: (progress) => seen.push(progress) })
  const copied = seen.filter(({ unit }) => unit === 'pages')
  expect(copied.length).toBeGreaterThan(0)
  expect(seen.slice(0, copied.length)).toEqual(copied)
  expect(copied.at(-1)).toMatchObject({ name: 'restore point', total: expect.any(Number) })
  expect(copied.at(-1)?.done).toBe(copied.at(-1)?.total)
})

test('an interrupted migration goes on where it was, with the restore point from before it began', async () => {
  await storeEarlierData(database.connection, { users: 50, transcriptions: 0 })
  await expect(prepare({ migrations: [failingAfter(3)] })).rejects.toThrow('switched off')
  expect([await countUnmigrated(database.connection), await storedVersion()]).toEqual([20, null])
  const before = await listRestorePoints(dataDir)
  const seen: number[] = []
  await prepare({ migrations: [failingAfter(2)], onProgress: ({ done }) => seen.push(done) })
  expect([await countUnmigrated(database.connection), seen]).toEqual([0, [30, 40, 50]])
  expect(await listRestorePoints(dataDir)).toEqual(before)
})

test('what an older release leaves behind the position of an interrupted migration is migrated too', async () => {
  const { connection } = database
  await storeEarlierData(connection, { users: 50, transcriptions: 0 })
  await expect(prepare({ migrations: [failingAfter(3)] })).rejects.toThrow('switched off')
  const users = userModel(connection)
  const [first] = await users.find().sort({ _id: 1 }).limit(1).lean()
  await users.collection.updateOne({ _id: first?._id }, { $unset: { sortName: '' } })
  await nextChange(connection) // every release counts its writes
  await prepare({ migrations: [{ ...storeSortNames, pageSize: 10 }] })
  expect(await countUnmigrated(connection)).toBe(0)
  const [record] = await connection.collection('migrations').find().toArray()
  expect([record?.passed, record?.finishedAt]).toEqual([50, expect.any(Date)])
})

/** Upgrades earlier data in a process that ends before the second page. */
async function interruptUpgrade(): Promise<void> {
  await storeEarlierData(database.connection, { users: 50, transcriptions: 0 })
  await expect(prepare({ migrations: [failingAfter(1)] })).rejects.toThrow('switched off')
  expect(await listRestorePoints(dataDir)).toHaveLength(1)
}

test.runIf(hasDatabaseClock)('an upgrade has a restore point of its own after one that died at its end', async () => {
  await storeEarlierData(database.connection, { users: 3, transcriptions: 0 })
  const log = {
    info(_fields: object, message?: string) {
      if (message === 'migration finished') throw new Error('the machine was switched off')
    },
  }
  await expect(prepare({ migrations: [storeSortNames], log })).rejects.toThrow('switched off')
  const next = { ...storeSortNames, name: 'next' }
  const [first] = await listRestorePoints(dataDir)
  await prepare({ migrations: [storeSortNames, next] })
  const [second, ...others] = await listRestorePoints(dataDir)
  expect([second?.name === first?.name, others]).toEqual([false, [first]])
})

test.runIf(hasDatabaseClock)('a start with nothing to migrate ends an upgrade that was interrupted', async () => {
  await interruptUpgrade()
  await prepare({ migrations: [] })
  await prepare({ migrations: [storeSortNames] })
  expect(await listRestorePoints(dataDir)).toHaveLength(2)
})

test.runIf(hasDatabaseClock).each([
  ['something was changed', () => nextChange(database.connection)],
  ['somebody signed in', () => createAuditEventRepository(database.connection).insert(auditEvent)],
])('a resumed upgrade makes another restore point where meanwhile %s', async (_name, work) => {
  await interruptUpgrade()
  await work()
  await prepare({ migrations: [storeSortNames] })
  expect(await listRestorePoints(dataDir)).toHaveLength(2)
})

test('of two processes that start one migrates and the other waits for it', async () => {
  await storeEarlierData(database.connection, { users: 40, transcriptions: 0 })
  const migrated: string[] = []
  const started = Promise.withResolvers<undefined>()
  const released = Promise.withResolvers<undefined>()
  const held: Migration = {
    ...storeSortNames,
    pageSize: 10,
    async migrate(connection, ids) {
      started.resolve(undefined)
      await released.promise
      migrated.push(...ids.map(String))
      await storeSortNames.migrate(connection, ids)
    },
  }
  const other = await openTestDatabase(database)
  const first = prepare({ migrations: [held] })
  await started.promise
  const waited = Promise.withResolvers<MigrationProgress>()
  const second = prepare({ connection: other.connection, migrations: [held], onProgress: waited.resolve })
  expect(await waited.promise).toEqual({ name: 'store-sort-names', unit: 'documents', done: 0, total: 40 })
  released.resolve(undefined)
  await Promise.all([first, second])
  await other.close()
  expect([migrated.length, new Set(migrated).size]).toEqual([40, 40])
  expect(await countUnmigrated(database.connection)).toBe(0)
})

test('a process that took the lock of one that hung lets that one change nothing more', async () => {
  await storeEarlierData(database.connection, { users: 40, transcriptions: 0 })
  const stolen = Promise.withResolvers<undefined>()
  const hanging: Migration = {
    ...storeSortNames,
    pageSize: 10,
    async migrate(connection, ids) {
      const facts = createSystemFactRepository(connection)
      await facts.remove('lock:migrations')
      await facts.set('lock:migrations', 'another')
      await storeSortNames.migrate(connection, ids)
      await stolen.promise
    },
  }
  const first = prepare({ migrations: [hanging], leaseMs: 60 })
  await expect.poll(() => countUnmigrated(database.connection)).toBe(30)
  await prepareAfterTheft()
  stolen.resolve(undefined)
  await first
  expect(await countUnmigrated(database.connection)).toBe(0)

  async function prepareAfterTheft() {
    const facts = createSystemFactRepository(database.connection)
    await facts.remove('lock:migrations')
    const other = await openTestDatabase(database)
    await prepare({ connection: other.connection, migrations: [storeSortNames] })
    await other.close()
  }
})

test('a command leaves the data of an earlier version as it is', async () => {
  await storeEarlierData(database.connection, { users: 1, transcriptions: 0 })
  await expect(prepare({ canMigrate: false })).rejects.toThrow('has to be migrated first')
  expect([await countUnmigrated(database.connection), await storedVersion()]).toEqual([1, null])
  await prepare()
  await createSystemFactRepository(database.connection).set('written_by', 'another version')
  await prepare({ canMigrate: false })
  expect(await findWritingVersion(database.connection)).toBe('another version')
})

test.runIf(hasDatabaseClock)('without room for a restore point nothing changes', async (context) => {
  await mkdir(join(dataDir, 'restore-points'))
  await mkdir(join(dataDir, 'db'))
  if (!mountSmallDisk(join(dataDir, 'db'), '2m')) return context.skip('This machine lets no test mount a file system.')
  await writeFile(join(dataDir, 'db', 'awaz.sqlite'), 'file of the database')
  await storeEarlierData(database.connection, { users: 3, transcriptions: 0 })
  await expect(prepare()).rejects.toThrow(/no room for the restore point .* it needs \d+ MB, and \d MB are free/)
  expect([await countUnmigrated(database.connection), await storedVersion()]).toEqual([3, null])
  expect(await readdir(join(dataDir, 'restore-points'))).toEqual([])
  await prepare({ config: { dataDir, isRestorePointSkipped: true } })
  expect(await countUnmigrated(database.connection)).toBe(0)
})

test('data in MongoDB is migrated only where a backup of the last day is known', async () => {
  const { connection } = database
  await ensureIndexes(connection)
  await expect(assertRecentBackup(connection)).rejects.toThrow('no backup of the last 24 hours is known')
  const events = createAuditEventRepository(connection)
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)
  await events.insert({ ...auditEvent, outcome: 'failure', at: hoursAgo(1) })
  await events.insert({ ...auditEvent, outcome: 'success', at: hoursAgo(25) })
  await expect(assertRecentBackup(connection)).rejects.toThrow('no backup')
  await events.insert({ ...auditEvent, outcome: 'success', at: hoursAgo(1) })
  await assertRecentBackup(connection)
})
