import { AppError } from '#contract/app-error.ts'
import { createAuditEventRepository } from '../audit/audit-events.ts'
import type { Config } from '../config.ts'
import type { DatabaseConnection } from '../connect.ts'
import { isEmbedded } from '../embedded-snapshot.ts'
import { createSystemFactRepository } from '../system/system-facts.ts'
import { makeRestorePoint } from './make-restore-point.ts'
import { listRestorePoints } from './restore-points.ts'

interface EnsureOptions {
  connection: DatabaseConnection
  config: Pick<Config, 'dataDir' | 'isRestorePointSkipped'>
  /** Of the stored data. */
  dataVersion: number
  fromVersion: string | null
}

/** Names the restore point of an upgrade that has begun and not finished. */
const factName = 'restore_point'
const maxBackupAgeMs = 24 * 3_600_000

/**
 * Makes the restore point of an upgrade, once: an upgrade that goes on after an interruption keeps the one from before it began. Returns its name;
 * null where there is none: MongoDB, of which a recent backup must be known, or where the settings say that none is wanted.
 *
 * @throws AppError `disk_full` without room, `conflict` for MongoDB without a backup
 */
export async function ensureRestorePoint({ connection, config, ...data }: EnsureOptions): Promise<string | null> {
  const { dataDir, isRestorePointSkipped } = config
  if (isRestorePointSkipped) return null
  if (!connection.db) throw new Error('The database connection is closed')
  if (!(await isEmbedded(connection.db))) {
    await assertRecentBackup(connection)
    return null
  }
  const facts = createSystemFactRepository(connection)
  const begun = await facts.find(factName)
  if (begun !== null && (await listRestorePoints(dataDir)).some(({ name }) => name === begun)) return begun
  const signal = new AbortController().signal
  const name = await makeRestorePoint({ connection, dataDir, ...data, signal })
  await facts.set(factName, name)
  return name
}

/** Ends the upgrade that a restore point belongs to: the next one makes its own. */
export async function forgetRestorePoint(connection: DatabaseConnection): Promise<void> {
  await createSystemFactRepository(connection).remove(factName)
}

/** Copying a database of a server of its own is that server's matter, and may take hours: a backup has to be there already. */
export async function assertRecentBackup(connection: DatabaseConnection): Promise<void> {
  const since = new Date(Date.now() - maxBackupAgeMs)
  if (await createAuditEventRepository(connection).hasSucceeded('backup.create', since)) return
  throw new AppError(
    'conflict',
    'The data in MongoDB has to be migrated, and no backup of the last 24 hours is known.',
    {
      help: 'Make one with `awaz backup`. Where you have another, set UPGRADE_WITHOUT_RESTORE_POINT=true for this start.',
    },
  )
}
