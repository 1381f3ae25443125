import { existsSync } from 'node:fs'
import { MongoClient } from 'mongodb'
import { MongoMemoryServer } from 'mongodb-memory-server-core'

/** Exit status if no server is available: nothing failed, but nothing was proved either. */
const noServer = 2

export interface MongoServer {
  uri: string
  stop(): Promise<unknown>
}

/** Uses MONGODB_URI, else the mongod that MONGOD names or, where the network allows, a downloaded one. */
async function findServer(): Promise<MongoServer> {
  const { MONGODB_URI: uri, MONGOD: systemBinary } = process.env
  if (uri) return { uri, stop: async () => undefined }
  if (systemBinary && !existsSync(systemBinary)) throw new Error(`MONGOD names ${systemBinary}, which is not there`)
  const server = await MongoMemoryServer.create(systemBinary ? { binary: { systemBinary } } : {})
  return { uri: server.getUri(), stop: () => server.stop() }
}

/** Returns a server and its version, or prints a line about what is missing and exits. */
export async function requireMongoServer(): Promise<MongoServer & { version: string }> {
  let server: MongoServer | undefined
  try {
    server = await findServer()
    return { ...server, version: await versionOf(server.uri) }
  } catch (error) {
    await server?.stop()
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    console.log(`Missing: a MongoDB server. Set MONGODB_URI, or MONGOD to a mongod, and run this again (${reason}).`)
    process.exit(noServer)
  }
}

async function versionOf(uri: string): Promise<string> {
  const client = await MongoClient.connect(uri, { serverSelectionTimeoutMS: 5000 })
  try {
    const { version } = await client.db('admin').command({ buildInfo: 1 })
    return String(version)
  } finally {
    await client.close()
  }
}
