// npm run test:mongo: the suites that touch the database, on a real MongoDB server. Says which one, or that none could be had.
import { spawnSync } from 'node:child_process'
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

/** MONGODB_URI; else a mongod of MONGOMS_SYSTEM_BINARY or, where the network allows, of the download. */
async function findServer(): Promise<Server | undefined> {
  const uri = process.env.MONGODB_URI
  if (uri) return { uri, stop: async () => undefined }
  try {
    const server = await MongoMemoryServer.create()
    return { uri: server.getUri(), stop: () => server.stop() }
  } catch (error) {
    console.log(`No MongoDB server could be had: ${error instanceof Error ? error.message : String(error)}`)
    console.log(
      'Set MONGODB_URI, or MONGOMS_SYSTEM_BINARY to a mongod, and run this again. MongoDB mode stays unverified until then.',
    )
    return undefined
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

const server = await findServer()
if (!server) process.exit(noServer)
try {
  console.log(`MongoDB ${await versionOf(server.uri)} at ${new URL(server.uri).host}`)
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
