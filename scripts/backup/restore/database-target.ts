import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'
import { openImport, type ImportTarget } from './import-database.ts'

export interface DatabaseTargetOptions {
  /** Missing for an embedded database in `dataDir`. */
  mongodb?: { uri: string; dbName: string } | undefined
  /** Folder in which the embedded database is created. */
  dataDir: string
  /** Ends the wait for a MongoDB that cannot be reached. */
  signal?: AbortSignal | undefined
}

/**
 * Opens the database that a backup is restored into.
 *
 * @throws AppError `conflict` where it holds documents
 */
export async function openDatabaseTarget({ mongodb, dataDir, signal }: DatabaseTargetOptions): Promise<ImportTarget> {
  return mongodb ? openMongo({ ...mongodb, signal }) : openEmbedded(dataDir)
}

async function openMongo({ uri, dbName, signal }: Parameters<typeof openImport>[0]): Promise<ImportTarget> {
  const target = await openImport({ uri, dbName, signal })
  return {
    ...target,
    discard: () =>
      target.discard().catch((cause: unknown) => {
        throw new AppError(
          'unavailable',
          `The restore failed, and what it imported into ${dbName} could not be removed.`,
          {
            help: `Drop the database ${dbName} before you restore again.`,
            cause,
          },
        )
      }),
  }
}

/** Stops the database engine when the import is finished: its file is then complete and can be moved. */
async function openEmbedded(dataDir: string): Promise<ImportTarget> {
  const runtimeDir = await makeRuntimeFolder()
  await mkdir(join(dataDir, 'db'), { recursive: true, mode: 0o700 })
  const engine = await startEmbeddedDatabase({
    dataFile: join(dataDir, 'db', 'awaz.sqlite'),
    socketPath: join(runtimeDir, 'db.sock'),
    // Documents that have expired since the backup are left for the product to remove, so that they are still counted here.
    sweepIntervalMs: 2 ** 31 - 1,
  })
  const stopEngine = async () => {
    await engine.stop()
    await rm(runtimeDir, { recursive: true, force: true })
  }
  const target = await openImport({ uri: engine.uri, dbName: 'awaz' }).catch(async (error: unknown) => {
    await stopEngine()
    throw error
  })
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= target.close().finally(stopEngine))
  return {
    ...target,
    async finish(collections) {
      await target.finish(collections)
      await stop()
    },
    // Its file is removed with the folder.
    discard: stop,
    close: stop,
  }
}
