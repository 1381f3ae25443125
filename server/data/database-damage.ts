import { z } from 'zod'
import type { DatabaseConnection } from './connect.ts'

const Hello = z.object({ awazDamage: z.string().optional() })

/** Returns the damage that the embedded database found in its data file; undefined where it found none, and for MongoDB. */
export async function readDatabaseDamage(connection: DatabaseConnection): Promise<string | undefined> {
  return Hello.parse(await connection.db?.command({ hello: 1 })).awazDamage
}
