import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { Config } from './config.ts'
import type { DatabaseConnection } from './connect.ts'
import { assertKnownDataVersion, claimDataVersion, readDataVersion } from './data-version.ts'
import { createMigrationRecords, type MigrationProgress } from './migrations/migration-records.ts'
import type { Migration } from './migrations/migration.ts'
import { migrations as allMigrations } from './migrations/migrations.ts'
import { runMigration } from './migrations/run-migration.ts'
import { forgetBegunUpgrade } from './restore-points/begun-upgrade.ts'
import { beginUpgrade } from './restore-points/ensure-restore-point.ts'
import { createLease } from './system/lease.ts'
import { createSystemFactRepository } from './system/system-facts.ts'
import { userModel } from './users/user-model.ts'
import { version } from './version.ts'

export interface PrepareOptions {
  connection: DatabaseConnection
  config: Pick<Config, 'dataDir' | 'isRestorePointSkipped'>
  log: Pick<Logger, 'info'>
  /** Called while this process, or the one it waits for, migrates. */
  onProgress?: (progress: MigrationProgress) => void
  /** Default true. False for commands: the Awaz running on the data may be older. */
  canMigrate?: boolean
  /** Default: all migrations of the product. */
  migrations?: readonly Migration[]
  /** How long a dead process keeps others from migrating. Default 10 s. */
  leaseMs?: number
}

const pollMs = 500
/** Interval between log lines. */
const logIntervalMs = 2000
const writtenByFact = 'written_by'

/**
 * Prepares data of an earlier version for this code, before anything uses it: makes a restore point, then runs the migrations that this
 * database has not had. Of several starting processes, one migrates and the others wait. Throws `NewerDataError` where the data is newer
 * than this code.
 */
export async function prepareData(options: PrepareOptions): Promise<void> {
  const { connection, migrations = allMigrations } = options
  await assertKnownDataVersion(connection)
  const isPending = (await createMigrationRecords(connection).listPending(migrations)).length > 0
  if (options.canMigrate === false && !(await isEmpty(connection))) {
    if (isPending) throw notMigrated()
    return
  }
  if (isPending) await migrateOrWait(options)
  await claimDataVersion(connection)
  // Here rather than after the last migration: a process may die in between, and an older release ends an upgrade that a newer one began.
  await forgetBegunUpgrade(connection)
  await createSystemFactRepository(connection).set(writtenByFact, version)
}

/** Returns whether this database has not had all migrations that this code knows. */
export async function isMigrationPending(connection: DatabaseConnection): Promise<boolean> {
  return (await createMigrationRecords(connection).listPending(allMigrations)).length > 0
}

/** Returns the version of the Awaz that last wrote to this database; null where it did not store it. */
export async function findWritingVersion(connection: DatabaseConnection): Promise<string | null> {
  return createSystemFactRepository(connection).find(writtenByFact)
}

/** Returns whether nothing has been stored yet: the first server creates an account. */
async function isEmpty(connection: DatabaseConnection): Promise<boolean> {
  return (await userModel(connection).exists({})) === null
}

function notMigrated(): AppError {
  return new AppError('conflict', 'The data was written by an earlier Awaz and has to be migrated first.', {
    help: 'Start this Awaz, which migrates it, or use the command of the earlier one.',
  })
}

async function migrateOrWait(options: PrepareOptions): Promise<void> {
  const { connection, onProgress, migrations = allMigrations, leaseMs = 10_000 } = options
  const records = createMigrationRecords(connection)
  const lease = createLease(connection, { name: 'lock:migrations', leaseMs })
  const holder = randomUUID()
  for (;;) {
    if (await lease.acquire(holder)) {
      const held = keepLease(() => lease.renew(holder), leaseMs)
      try {
        return await migrate(options, held.assertHeld)
      } catch (error) {
        if (!(error instanceof LeaseLostError)) throw error
      } finally {
        held.end()
        await lease.release(holder).catch(() => undefined) // the connection may be lost: the lease then expires
      }
    }
    if ((await records.listPending(migrations)).length === 0) return
    const running = await records.findRunning()
    onProgress?.(running ?? restorePointProgress(0, 0))
    await wait(Math.min(pollMs, leaseMs))
  }
}

class LeaseLostError extends Error {}

/** Renews a lease until `end` is called. */
function keepLease(renew: () => Promise<boolean>, leaseMs: number) {
  let isLost = false
  const timer = setInterval(() => {
    // If the database is unreachable, the migration fails anyway.
    renew().then(
      (isHeld) => (isLost ||= !isHeld),
      () => undefined,
    )
  }, leaseMs / 3)
  return {
    assertHeld() {
      if (isLost) throw new LeaseLostError('Another process has taken the lock of the migrations')
    },
    end: () => clearInterval(timer),
  }
}

async function migrate(options: PrepareOptions, assertMayContinue: () => void): Promise<void> {
  const { connection, config, log, migrations = allMigrations } = options
  const records = createMigrationRecords(connection)
  // The previous holder of the lock may have finished, or be newer.
  await assertKnownDataVersion(connection)
  const pending = await records.listPending(migrations)
  if (pending.length === 0) return
  const hasData = !(await isEmpty(connection))
  const onProgress = reportProgress(options)
  if (hasData) {
    const fromVersion = await findWritingVersion(connection)
    const dataVersion = await readDataVersion(connection)
    const names = pending.map(({ name }) => name)
    const upgrade = { dataVersion, fromVersion, migrations: names }
    // An older release may have written documents that an interrupted migration has already processed.
    const onBegin = () => records.restart(names)
    log.info({ migrations: names }, 'the data of an earlier version has to be migrated; a restore point is made first')
    const restorePoint = await beginUpgrade({
      connection,
      config,
      ...upgrade,
      onBegin,
      onProgress: (done, total) => onProgress(restorePointProgress(done, total)),
    })
    log.info({ migrations: names, restorePoint }, 'migrating the data of an earlier version')
  }
  for (const migration of pending) {
    await runMigration(migration, { connection, records, assertMayContinue, onProgress })
    if (hasData) log.info({ migration: migration.name }, 'migration finished')
  }
  await claimDataVersion(connection)
}

function restorePointProgress(done: number, total: number): MigrationProgress {
  return { name: 'restore point', unit: 'pages', done, total }
}

/** Returns a reporter that also writes a line to the log every 2 s. */
function reportProgress({ log, onProgress }: PrepareOptions): (progress: MigrationProgress) => void {
  let loggedAtMs = performance.now()
  return (progress) => {
    onProgress?.(progress)
    if (performance.now() - loggedAtMs < logIntervalMs) return
    loggedAtMs = performance.now()
    log.info({ migration: progress.name, done: progress.done, total: progress.total }, 'migrating')
  }
}
