import { AppError } from '#contract/app-error.ts'
import { createAuditEventRepository } from '../audit/audit-events.ts'
import type { Config } from '../config.ts'
import type { DatabaseConnection } from '../connect.ts'
import { isEmbedded } from '../embedded-snapshot.ts'
import { findBegunUpgrade, storeBegunUpgrade, type UpgradeData } from './begun-upgrade.ts'
import { makeRestorePoint } from './make-restore-point.ts'
import { recoverRestorePoints } from './recover.ts'
import { listRestorePoints } from './restore-points.ts'

interface EnsureOptions extends UpgradeData {
  connection: DatabaseConnection
  config: Pick<Config, 'dataDir' | 'isRestorePointSkipped'>
  /** Version of the stored data. */
  dataVersion: number
  /** Called with the number of pages of the restore point copied so far. */
  onProgress?: (done: number, total: number) => void
}

interface BeginOptions extends EnsureOptions {
  /** Called unless this continues an upgrade. */
  onBegin: () => Promise<void>
}

const maxBackupAgeMs = 24 * 3_600_000

/**
 * Continues an interrupted upgrade with its restore point, unless an Awaz has worked on the data since. Otherwise begins one with a new
 * restore point, calling `onBegin` before anything is stored. Returns the name of the restore point; null where there is none: for
 * MongoDB, which must have a recent backup, or where the settings turn it off.
 *
 * @throws AppError `disk_full` without space, `conflict` for MongoDB without a backup
 */
export async function beginUpgrade({ onBegin, ...options }: BeginOptions): Promise<string | null> {
  const { connection, config, fromVersion, migrations } = options
  const begun = await findBegunUpgrade(connection, { fromVersion, migrations })
  if (begun?.restorePoint && (await isListed(config.dataDir, begun.restorePoint))) return begun.restorePoint
  if (!begun) await onBegin()
  const name = await makePoint(options)
  await storeBegunUpgrade(connection, name, { fromVersion, migrations })
  return name
}

async function makePoint({
  connection,
  config,
  dataVersion,
  fromVersion,
  onProgress,
}: EnsureOptions): Promise<string | null> {
  const { dataDir, isRestorePointSkipped } = config
  if (isRestorePointSkipped) return null
  if (!connection.db) throw new Error('The database connection is closed')
  if (!(await isEmbedded(connection.db))) {
    await assertRecentBackup(connection)
    return null
  }
  await recoverRestorePoints(dataDir)
  const signal = new AbortController().signal
  const name = await makeRestorePoint({ connection, dataDir, dataVersion, fromVersion, signal, onProgress })
  if (!(await isListed(dataDir, name))) throw new Error(`The restore point ${name} is not there after it was made`)
  return name
}

async function isListed(dataDir: string, name: string): Promise<boolean> {
  return (await listRestorePoints(dataDir)).some((point) => point.name === name)
}

/** Requires a recent backup: copying the database of a separate server is up to that server, and may take hours. */
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
