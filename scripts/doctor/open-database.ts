import { AppError } from '#contract/app-error.ts'
import type { Config } from '#data/config.ts'
import { openDatabase as openConnection, type DatabaseConnection } from '#data/connect.ts'
import { findRunningDatabase, openCliDatabase } from '../admin/database.ts'
import { localAddress } from './checks/server.ts'

export type OpenedDatabase = { close: () => Promise<void> } & (
  { connection: DatabaseConnection } | { problem: unknown }
)

/**
 * Opens the database of an instance, running or stopped; tries once. Returns the reason where it cannot be opened. Throws `not_found` if
 * there is none (DATA_DIR then names the wrong folder), and the reason of `signal` once that is aborted.
 */
export async function openDatabase(config: Config, { signal }: { signal: AbortSignal }): Promise<OpenedDatabase> {
  let cli: Awaited<ReturnType<typeof openCliDatabase>>
  try {
    cli = await openCliDatabase(config, { canCreate: false })
  } catch (error) {
    if (error instanceof AppError) throw error
    return { problem: error, close: async () => undefined }
  }
  const failure = Promise.withResolvers<never>()
  const { connection, connected, close } = openConnection({ mongodbUri: cli.uri }, { onFailure: failure.reject })
  const closeAll = () => close().then(cli.stop)
  const onAbort = () => failure.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    await Promise.race([connected, failure.promise])
    return { connection, close: closeAll }
  } catch (problem) {
    if (signal.aborted) {
      await closeAll()
      throw signal.reason
    }
    return { problem, close: closeAll }
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Whether Awaz is running: whether its database has an address or, with MONGODB_URI, whether a server answers at HOST and PORT. */
export async function isProductRunning(config: Config): Promise<boolean> {
  if (config.mongodbUri === undefined) return (await findRunningDatabase(config.dataDir)) !== undefined
  return fetch(`${localAddress(config)}/healthz`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
