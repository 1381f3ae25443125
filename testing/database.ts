import { randomUUID } from 'node:crypto'
import { connectDatabase, type Database } from '#data/connect.ts'

/** The database engine of this test process: MONGODB_URI. */
async function databaseEngine(): Promise<string> {
  const given = process.env.MONGODB_URI
  if (!given) throw new Error('Set MONGODB_URI to run the api tests.')
  return given
}

/** A fresh, empty database with a name of its own. Dropped by `drop`. */
export async function createTestDatabase(): Promise<Database & { uri: string; drop(): Promise<void> }> {
  const uri = await databaseEngine()
  const database = await connectDatabase(
    { mongodbUri: uri },
    { dbName: `t${randomUUID().replaceAll('-', '').slice(0, 20)}` },
  )
  async function drop() {
    await database.connection.dropDatabase().catch(() => undefined)
    await database.close()
  }
  return { ...database, uri, drop }
}
