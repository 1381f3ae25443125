import { existsSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { AppError } from '#contract/app-error.ts'
import { readConfig, type Config } from '#data/config.ts'
import { connectDatabase, type DatabaseConnection } from '#data/connect.ts'
import { assertKnownDataVersion } from '#data/data-version.ts'
import { makeRuntimeFolder, startEmbeddedDatabase } from '#server/embedded-db/launch.ts'

interface CliDatabase {
  uri: string
  stop(): Promise<void>
}

interface OpenOptions {
  /** Whether to create a database if there is none. Otherwise that is an error: DATA_DIR probably names the wrong folder. */
  canCreate: boolean
  /** How to create one; appended to the help text of that error. */
  createHint?: string
  /** Asks the user whether to create one where `canCreate` is false. Default: the user is not asked. */
  ask?: (question: string) => Promise<boolean>
}

/**
 * Opens the database for a command: MONGODB_URI where it is set, else the embedded one. Connects to the embedded database that
 * `npm start` runs (its address is in DATA_DIR/db/uri), or starts one that runs until `stop` is called.
 */
export async function openCliDatabase(
  config: Config,
  { canCreate, createHint, ask = async () => false }: OpenOptions,
): Promise<CliDatabase> {
  if (config.mongodbUri) return { uri: config.mongodbUri, stop: async () => undefined }
  const folder = join(config.dataDir, 'db')
  const running = await findRunningDatabase(config.dataDir)
  if (running) return { uri: running, stop: async () => undefined }
  const dataFile = join(folder, 'awaz.sqlite')
  const question = `There is no database in ${config.dataDir}. Create one there?`
  if (!canCreate && !existsSync(dataFile) && !(await ask(question))) {
    throw new AppError('not_found', `There is no database in ${config.dataDir}.`, {
      help: ["Set DATA_DIR to the server's data folder", createHint].filter(Boolean).join(', or '),
    })
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const runtimeDir = await makeRuntimeFolder()
  const engine = await startEmbeddedDatabase({
    dataFile,
    socketPath: join(runtimeDir, 'db.sock'),
  })
  async function stop() {
    await engine.stop()
    await rm(runtimeDir, { recursive: true, force: true })
  }
  return { uri: engine.uri, stop }
}

/** Runs a command on the configured database, which must exist and must not be from a newer version of Awaz. */
export async function withCliDatabase<Value>(
  command: (connection: DatabaseConnection) => Promise<Value>,
): Promise<Value> {
  const { uri, stop } = await openCliDatabase(readConfig(process.env), { canCreate: false })
  const database = await connectDatabase({ mongodbUri: uri })
  try {
    await assertKnownDataVersion(database.connection)
    return await command(database.connection)
  } finally {
    await database.close()
    await stop()
  }
}

/** Returns the address of the embedded database that `npm start` runs on this data folder; undefined if none is running. */
export async function findRunningDatabase(dataDir: string): Promise<string | undefined> {
  const uri = (await readFile(join(dataDir, 'db', 'uri'), 'utf8').catch(() => '')).trim()
  const socketPath = /^mongodb:\/\/([^/]+)/.exec(uri)?.[1]
  if (!socketPath) return undefined
  const isListening = await new Promise<boolean>((resolve) => {
    const socket = connect(decodeURIComponent(socketPath))
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.end())
  })
  return isListening ? uri : undefined
}
