import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { isEmbedded } from '#data/embedded-snapshot.ts'
import { assertRecentBackup } from '#data/restore-points/ensure-restore-point.ts'
import { assertDiskSpace, measureDiskSpace } from '#data/restore-points/disk-space.ts'
import { createUserRepository } from '#data/users/users.ts'
import { megabytes } from './describe.ts'

export interface RestorePointCheck {
  /** A short description of what the upgrade would do. */
  plan: string
  /** Why the start would refuse to migrate. */
  problem?: string
}

/** Returns what starting a release with pending migrations would do about a restore point: makes the same checks as `beginUpgrade`. */
export async function checkRestorePoint(
  connection: DatabaseConnection,
  { dataDir, isRestorePointSkipped }: Pick<Config, 'dataDir' | 'isRestorePointSkipped'>,
): Promise<RestorePointCheck> {
  if (!(await createUserRepository(connection).hasAny())) return { plan: 'none is made: nothing has been stored yet' }
  if (isRestorePointSkipped) return { plan: 'none is made: UPGRADE_WITHOUT_RESTORE_POINT is set' }
  if (!connection.db) throw new Error('The database connection is closed')
  if (!(await isEmbedded(connection.db))) return checkBackup(connection)
  const room = await measureDiskSpace(dataDir)
  if (!room) return { plan: 'is made; the room for it is not known here, because the database lies outside DATA_DIR' }
  const plan = `needs ${megabytes(room.neededBytes)}; ${megabytes(room.freeBytes)} are free`
  return { plan, ...(await findRefusal(() => assertDiskSpace(dataDir))) }
}

/** Like `checkRestorePoint`, but for MongoDB. */
export async function checkBackup(connection: DatabaseConnection): Promise<RestorePointCheck> {
  const refusal = await findRefusal(() => assertRecentBackup(connection))
  return {
    plan: `none is made of MongoDB; ${refusal.problem ? 'it needs' : 'there is'} a backup of the last 24 hours`,
    ...refusal,
  }
}

async function findRefusal(assert: () => Promise<void>): Promise<Pick<RestorePointCheck, 'problem'>> {
  try {
    await assert()
    return {}
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { problem: [error.message, error.help].filter(Boolean).join(' ') }
  }
}
