import { z } from 'zod'
import type { DatabaseConnection } from './connect.ts'
import { isDatabaseUnavailable } from './database-errors.ts'

const Hello = z.object({ localTime: z.date() })

/**
 * Reads the database's time once and returns a clock that continues from it, for the steps of one piece of work.
 */
export async function openDatabaseClock(connection: DatabaseConnection): Promise<() => Date> {
  const startMs = (await readDatabaseTime(connection)).getTime()
  const readAtMs = performance.now()
  return () => new Date(startMs + performance.now() - readAtMs)
}

/**
 * Returns the time of the database's clock. Leases are written with `$$NOW` and compared with this, so that hosts whose clocks differ
 * agree about who holds a job.
 */
export async function readDatabaseTime(connection: DatabaseConnection): Promise<Date> {
  const { db } = connection
  if (!db) throw new Error('The database connection is closed')
  const run = () => db.command({ hello: 1 })
  const { retryReads } = connection.getClient().options
  // The driver retries reads, but not commands.
  const hello = await run().catch((error: unknown) => {
    if (!retryReads || !isDatabaseUnavailable(error)) throw error
    return run()
  })
  return Hello.parse(hello).localTime
}
