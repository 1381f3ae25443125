import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '#data/connect.ts'
import { prepareData } from '#data/prepare-data.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { storeEarlierData } from '#testing/earlier-data.ts'
import { temporaryFolder } from '#testing/temporary-folder.ts'
import { runAwaz } from '../../backup/testing/command-line.ts'
import { readDatabase } from '../../backup/testing/instance.ts'

export const silent = { info: () => undefined }

/** Returns the path of the embedded database's file. */
export const dataFileOf = (dataDir: string) => join(dataDir, 'db', 'awaz.sqlite')

/** Starts the embedded database of a data folder. The caller stops it. */
export async function startDatabase(dataDir: string) {
  const runtimeDir = await makeRuntimeFolder()
  onTestFinished(() => rm(runtimeDir, { recursive: true, force: true }))
  await mkdir(join(dataDir, 'db'), { recursive: true })
  return startEmbeddedDatabase({ dataFile: dataFileOf(dataDir), socketPath: join(runtimeDir, 'db.sock') })
}

/** Runs the embedded database of a data folder while `use` runs. */
export async function withDatabase<T>(
  dataDir: string,
  use: (connection: DatabaseConnection, uri: string) => Promise<T>,
): Promise<T> {
  const engine = await startDatabase(dataDir)
  const database = await connectDatabase({ mongodbUri: engine.uri })
  try {
    return await use(database.connection, engine.uri)
  } finally {
    await database.close()
    await engine.stop()
  }
}

/** Returns every document. */
export const readAll = (dataDir: string) =>
  withDatabase(dataDir, (_connection, uri) => readDatabase({ uri, dbName: 'awaz' }))

/** Returns every document, without the lease held while the restore point was made: it is in the copy, and expires. */
export const readEarlier = async (dataDir: string) => ({ ...(await readAll(dataDir)), system_facts: undefined })

export const settingsOf = (dataDir: string) => ({ dataDir, isRestorePointSkipped: false })

/** Upgrades with a short lease: a start right after going back waits until the lease in the copy expires. */
export const upgrade = (dataDir: string) =>
  withDatabase(dataDir, (connection) =>
    prepareData({ connection, config: settingsOf(dataDir), log: silent, leaseMs: 300 }),
  )

export const environmentOf = (dataDir: string) => ({ DATA_DIR: dataDir, MONGODB_URI: '' })

/** Runs `awaz upgrade --back`. */
export const runGoBack = (dataDir: string, ...args: string[]) =>
  runAwaz(['upgrade', '--back', ...args], environmentOf(dataDir))

/** Makes the data folder of an earlier version. Returns it and every document in it. */
export async function makeEarlierFolder() {
  const dataDir = await temporaryFolder()
  await withDatabase(dataDir, (connection) => storeEarlierData(connection, { users: 3, transcriptions: 2 }))
  return { dataDir, documents: await readEarlier(dataDir) }
}
