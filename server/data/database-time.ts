import { z } from 'zod'
import type { DatabaseConnection } from './connect.ts'

const Hello = z.object({ localTime: z.date() })

/**
 * Returns the time of the database's clock. Leases are written with `$$NOW` and compared with this, so that hosts whose clocks differ
 * agree about who holds a job.
 */
export async function readDatabaseTime(connection: DatabaseConnection): Promise<Date> {
  if (!connection.db) throw new Error('The database connection is closed')
  return Hello.parse(await connection.db.command({ hello: 1 })).localTime
}
