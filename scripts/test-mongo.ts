// npm run test:mongo: the suites that touch the database, on a real MongoDB server. Says which one, or that none could be had.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MongoClient } from 'mongodb'
import { MongoMemoryServer } from 'mongodb-memory-server-core'

const root = dirname(import.meta.dirname)
/** Exit status where no server could be had: nothing failed, and nothing was shown either. */
const noServer = 2

interface Server {
  uri: string
  stop(): Promise<unknown>
}

/** MONGODB_URI; else a mongod of MONGOD or, where the network allows, of the download. */
async function findServer(): Promise<Server> {
  const { MONGODB_URI: uri, MONGOD: systemBinary } = process.env
  if (uri) return { uri, stop: async () => undefined }
  if (systemBinary && !existsSync(systemBinary)) throw new Error(`MONGOD names ${systemBinary}, which is not there`)
  const server = await MongoMemoryServer.create(systemBinary ? { binary: { systemBinary } } : {})
  return { uri: server.getUri(), stop: () => server.stop() }
}

/** Returns a server and its version, or says in one line what is missing and ends. */
async function requireServer(): Promise<Server & { version: string }> {
  let server: Server | undefined
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

const server = await requireServer()
try {
  console.log(`MongoDB ${server.version} at ${/\/\/(?:[^@/]*@)?([^/?]+)/.exec(server.uri)?.[1]}`)
  console.log('Left out: tests that set the clock or break the file of the embedded database. npm test runs them.')
  const projects = ['unit', 'api', 'engine'].flatMap((name) => ['--project', name])
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...projects, ...process.argv.slice(2)], {
    cwd: root,
    env: { ...process.env, MONGODB_URI: server.uri },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} finally {
  await server.stop()
}
