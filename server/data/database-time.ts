import type { Connection } from 'mongoose'
import { z } from 'zod'

const Hello = z.object({ localTime: z.date() })

/**
 * The database's clock. Leases are written with `$$NOW` and compared with this, so that hosts whose clocks differ agree about
 * who holds a job.
 */
export async function readDatabaseTime(connection: Connection): Promise<Date> {
  if (!connection.db) throw new Error('The database connection is closed')
  return Hello.parse(await connection.db.command({ hello: 1 })).localTime
}
