import { z } from 'zod'
import type { DatabaseConnection } from './connect.ts'

const Status = z.object({ problem: z.string().optional() })

/** Returns the damage found in the data file of the embedded database; undefined where there is none, and for MongoDB. */
export async function findFileDamage({ db }: DatabaseConnection): Promise<string | undefined> {
  const hello = await db?.command({ hello: 1 })
  if (hello?.awazEmbedded !== true) return undefined
  return Status.parse(await db?.command({ awazFileCheck: 1 })).problem
}
