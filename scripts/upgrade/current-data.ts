import { AppError } from '#contract/app-error.ts'
import { readConfig } from '#data/config.ts'
import { connectDatabase } from '#data/connect.ts'
import { readDataVersion } from '#data/data-version.ts'
import { findWritingVersion } from '#data/prepare-data.ts'
import { iterateRows, openDatabase } from '#server/embedded-db/storage/database.ts'
import { isDamage } from '#server/embedded-db/storage/file-check.ts'
import { openCliDatabase } from '../admin/database.ts'
import { isInUse, stillRunning } from './data-file-lock.ts'
import { labels, type IdsByCollection } from './loss.ts'

export interface CurrentData {
  dataVersion: number
  writtenBy: string | null
  /** Ids of documents by collection, without deleted recordings; or SQLite's description of the damage if they could not be read. */
  ids: IdsByCollection | string
}

/**
 * Reads what the embedded database in `dataFile` holds. Awaz may have been started by the time this returns: `lockDataFile` detects that.
 *
 * @throws AppError `conflict` if another process has it open, `not_found` if there is none, `unavailable` if something other than damage
 * prevents it
 */
export async function readCurrentData(dataDir: string, dataFile: string): Promise<CurrentData> {
  try {
    return await readStoppedData(dataDir)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (isInUse(error)) throw stillRunning(dataDir, error)
    const damage = findDamage(dataFile)
    if (damage !== undefined) return { dataVersion: 0, writtenBy: null, ids: damage }
    const reason = error instanceof Error ? error.message : String(error)
    throw new AppError('unavailable', `The database could not be read: ${reason}.`, {
      help: 'It is not damaged, so it is not replaced unread. Nothing was changed.',
      cause: error,
    })
  }
}

async function readStoppedData(dataDir: string): Promise<CurrentData> {
  const config = readConfig({ DATA_DIR: dataDir })
  const { uri, stop } = await openCliDatabase(config, { canCreate: false })
  const database = await connectDatabase({ mongodbUri: uri })
  try {
    const { connection } = database
    const ids: IdsByCollection = new Map()
    for (const name of Object.keys(labels)) {
      const filter = name === 'recordings' ? { deletedAt: null } : {}
      const found = connection.collection(name).find(filter, { projection: { _id: 1 } })
      ids.set(name, new Set((await found.toArray()).map(({ _id }) => String(_id))))
    }
    const [dataVersion, writtenBy] = await Promise.all([readDataVersion(connection), findWritingVersion(connection)])
    return { dataVersion, writtenBy, ids }
  } finally {
    await database.close()
    await stop()
  }
}

/** Returns SQLite's description of the damage in a data file, with its log, that no process has open; undefined if it is intact. */
function findDamage(dataFile: string): string | undefined {
  try {
    const database = openDatabase(dataFile)
    try {
      const [first] = iterateRows<{ quick_check: string }>(database.statement('PRAGMA quick_check(1)'))
      return first?.quick_check === 'ok' ? undefined : first?.quick_check.split('\n').at(-1)
    } finally {
      database.close()
    }
  } catch (error) {
    if (isDamage(error)) return error.message
    throw error
  }
}
