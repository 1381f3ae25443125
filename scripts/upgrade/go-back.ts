import { appendFile, copyFile, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import { hashFile } from '#data/hash-file.ts'
import { ifExists } from '#data/if-exists.ts'
import { renameDurably, syncPath } from '#data/durable-files.ts'
import { stageRestorePoint } from '#data/restore-points/make-restore-point.ts'
import { databasePaths, recoverRestorePoints } from '#data/restore-points/recover.ts'
import {
  listRestorePoints,
  pruneRestorePoints,
  restorePointsFolder,
  type RestorePoint,
} from '#data/restore-points/restore-points.ts'
import { openDataFile } from '#server/embedded-db/storage/read-data-file.ts'
import { askOnTerminal } from '../admin/ask.ts'
import { findRunningDatabase } from '../admin/database.ts'
import { findOtherOwner } from '../doctor/checks/private-files.ts'
import { readCurrentData, type CurrentData } from './current-data.ts'
import { isInUse, lockDataFile, stillRunning, type DataFileLock } from './data-file-lock.ts'
import { describePoint, megabytes } from './describe.ts'
import { describeLoss } from './loss.ts'

interface GoBackOptions {
  /** Default: the newest. */
  name?: string | undefined
  isAgreed: boolean
  /** Asks the user for agreement if `isAgreed` is false. Default: on the terminal. */
  ask?: (question: string) => Promise<boolean>
}

/**
 * Replaces the embedded database with a restore point; the database is itself kept as a restore point. Returns 1 if the user did not agree.
 *
 * @throws AppError `forbidden` for a user who does not own the database, `conflict` while Awaz is running or if the restore point is
 * damaged, `not_found` without one, `disk_full`
 */
export async function goBack(
  { dataDir }: Pick<Config, 'dataDir'>,
  { name, isAgreed, ask = askOnTerminal }: GoBackOptions,
): Promise<number> {
  const { live, incoming } = databasePaths(dataDir)
  await assertOwner(live)
  if (await findRunningDatabase(dataDir)) throw stillRunning(dataDir)
  for (const recovered of await recoverRestorePoints(dataDir)) {
    console.log(`The data that an interrupted upgrade --back replaced is kept: awaz upgrade --back ${recovered}`)
  }
  const point = await choosePoint(dataDir, name)
  await assertWhole(point)
  await assertSpace(dataDir, point)
  const current = await readCurrentData(dataDir, live)
  const before = await describeState(live)
  console.log(describePoint(point))
  for (const line of describeLoss(point, current.ids)) console.log(line)
  if (!isAgreed && !(await ask('Go back?'))) {
    console.log('Nothing was changed. Say y, or give --yes where nobody can be asked.')
    return 1
  }
  const isDamaged = typeof current.ids === 'string'
  const lock = await lockStopped(dataDir, { live, isDamaged })
  let kept: string
  try {
    await assertUnused(live, before)
    kept = await replaceDatabase(dataDir, { point, current })
  } finally {
    await rm(incoming, { force: true })
    await lock?.release()
  }
  const writer = point.fromVersion === null ? 'the Awaz that ran before' : `Awaz ${point.fromVersion}`
  console.log(`Went back to the data of ${point.createdAt}. Start ${writer} on it: a newer one would upgrade it again.`)
  console.log(
    isDamaged
      ? `The damaged database is kept in ${join(restorePointsFolder(dataDir), kept)}.`
      : `The data until now is kept: awaz upgrade --back ${kept}`,
  )
  await recordGoingBack(dataDir, { at: new Date().toISOString(), to: point.name, kept })
  return 0
}

/** Appends a line of JSON to `history.jsonl` beside the restore points: the audit trail in the restored data must not be opened. */
async function recordGoingBack(dataDir: string, event: { at: string; to: string; kept: string }): Promise<void> {
  const file = join(restorePointsFolder(dataDir), 'history.jsonl')
  await appendFile(file, `${JSON.stringify(event)}\n`, { mode: 0o600 })
  await syncPath(file)
}

/** The restored file belongs to the user of this process; Awaz could not open it as another user. */
async function assertOwner(live: string): Promise<void> {
  const owner = await findOtherOwner(live)
  if (owner === undefined) return
  throw new AppError('forbidden', `${live} belongs to user ${owner}, and this is user ${process.getuid?.()}.`, {
    help: 'Nothing was changed. Run the command as that user: docs/upgrading.md, "Going back".',
  })
}

async function choosePoint(dataDir: string, name: string | undefined): Promise<RestorePoint> {
  const points = await listRestorePoints(dataDir)
  const point = name === undefined ? points[0] : points.find((each) => each.name === name)
  if (point) return point
  const names = points.map((each) => each.name)
  throw new AppError('not_found', `There is no restore point${name ? ` ${name}` : ''} in ${dataDir}.`, {
    help: names.length > 0 ? `Those there are: ${names.join(', ')}.` : 'Restore a backup: docs/backup.md.',
  })
}

async function assertWhole({ name, dataFile, sha256 }: RestorePoint): Promise<void> {
  if ((await hashFile(dataFile)).sha256 === sha256) {
    openDataFile(dataFile).close()
    return
  }
  throw new AppError('conflict', `The restore point ${name} is damaged: its file has changed since it was made.`, {
    help: 'Nothing was changed. Take another, or restore a backup: docs/backup.md.',
  })
}

async function assertSpace(dataDir: string, { sizeBytes }: RestorePoint): Promise<void> {
  const { bavail, bsize } = await statfs(dataDir)
  if (bavail * bsize > sizeBytes) return
  throw new AppError('disk_full', `Going back needs ${megabytes(sizeBytes)}, and ${dataDir} has less free.`)
}

/** Locks the data file. Returns undefined for a damaged one that SQLite, and therefore any Awaz, cannot open. */
async function lockStopped(
  dataDir: string,
  { live, isDamaged }: { live: string; isDamaged: boolean },
): Promise<DataFileLock | undefined> {
  try {
    return await lockDataFile(live)
  } catch (error) {
    if (isInUse(error)) throw stillRunning(dataDir, error)
    if (isDamaged) return undefined
    throw error
  }
}

/** Returns properties of a file that change with every write once it is closed. */
async function describeState(file: string): Promise<string> {
  const { size, mtimeNs } = await stat(file, { bigint: true })
  return `${size} ${mtimeNs}`
}

/** Throws if an Awaz that has since stopped wrote to the file after the loss was counted. */
async function assertUnused(live: string, before: string): Promise<void> {
  if ((await describeState(live)) === before) return
  throw new AppError('conflict', 'The database was used while the question was open.', {
    help: 'Nothing was changed. Stop Awaz, and go back again.',
  })
}

interface Replacement {
  point: RestorePoint
  current: Pick<CurrentData, 'dataVersion' | 'writtenBy'>
}

/** Returns the name of the restore point that keeps the replaced data, whose file must be locked. */
async function replaceDatabase(dataDir: string, { point, current }: Replacement): Promise<string> {
  const { live, incoming } = databasePaths(dataDir)
  await copyFile(point.dataFile, incoming)
  await syncPath(incoming)
  const { dataVersion, writtenBy: fromVersion } = current
  const kept = await stageRestorePoint(live, dataDir, { dataVersion, fromVersion })
  const hasLog = await keepLog(live, async () => {
    await kept.finish()
    return join(restorePointsFolder(dataDir), kept.name)
  })
  // A log of the replaced file must not be applied to the new one.
  for (const suffix of ['-wal', '-shm']) await rm(`${live}${suffix}`, { force: true })
  await renameDurably(incoming, live)
  // Only now: before the rename above, both names refer to one file, to which a starting Awaz would write.
  if (!hasLog) await kept.finish()
  await pruneRestorePoints(dataDir)
  return kept.name
}

/**
 * Copies a log that is not empty beside the kept data: the lock empties the log of any file that SQLite can open, so this file is damaged,
 * and no Awaz can start on it. Returns whether there was such a log.
 */
async function keepLog(live: string, finish: () => Promise<string>): Promise<boolean> {
  const info = await ifExists(() => stat(`${live}-wal`))
  if (!info || info.size === 0) return false
  const log = join(await finish(), 'awaz.sqlite-wal')
  await copyFile(`${live}-wal`, log)
  for (const path of [log, dirname(log)]) await syncPath(path)
  return true
}
