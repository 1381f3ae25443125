// npm start: builds the web app when stale, then runs embedded database (without MONGODB_URI), server and engine until a signal.
import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readConfig } from '#data/config.ts'
import { makeRuntimeFolder } from '#server/embedded-db/launch.ts'
import { keepDatabaseRunning } from './supervisor/database.ts'
import { printWelcome } from './supervisor/welcome.ts'
import { createLogView, parseEntry } from './supervisor/log-view.ts'
import { startService, type Service } from './supervisor/service.ts'
import { buildWebIfStale } from './web/build.ts'

const root = dirname(import.meta.dirname)
const isTerminal = Boolean(process.stdout.isTTY)
const write = (text: string) => process.stdout.write(text)
/** Time the server and the engine have to finish what they do; a container's stop grace (60 s) is longer. */
const graceMs = 40_000

function fail(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error))
  process.exit(1)
}

function loadConfig() {
  try {
    return readConfig(process.env)
  } catch (error) {
    return fail(error)
  }
}

/** A folder that cannot be written is told before anything waits for it. */
async function makeDataFolder(dataDir: string) {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await access(dataDir, constants.W_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The folder DATA_DIR (${dataDir}) cannot be used: ${reason}`, { cause: error })
  }
}

/** Starts the database when none is configured. Answers its address and how to stop it. */
async function openDatabase(dataDir: string) {
  const runtimeDir = await makeRuntimeFolder()
  await mkdir(join(dataDir, 'db'), { recursive: true, mode: 0o700 })
  const paths = { dataFile: join(dataDir, 'db', 'awaz.sqlite'), socketPath: join(runtimeDir, 'db.sock') }
  const onLine = (line: string) => console.error(line)
  const database = await keepDatabaseRunning(paths, { onLine })
  // The command line uses a running database by this address (scripts/admin/database.ts).
  const uriFile = join(dataDir, 'db', 'uri')
  await writeFile(uriFile, `${database.uri}\n`, { mode: 0o600 })
  async function stop() {
    await database.stop()
    await rm(uriFile, { force: true })
    await rm(runtimeDir, { recursive: true, force: true })
  }
  return { uri: database.uri, stop }
}

async function main() {
  const config = loadConfig()
  const dataDir = resolve(config.dataDir)
  await makeDataFolder(dataDir)
  await buildWebIfStale(root)

  const database = config.mongodbUri ? undefined : await openDatabase(dataDir)
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    MODELS_DIR: resolve(config.modelsDir),
    ...(database && { MONGODB_URI: database.uri, MONGODB_URI_FILE: undefined, AWAZ_EMBEDDED_DB: '1' }),
  }

  let url: string | undefined
  const serverLog = createLogView('server', { isTerminal, write })
  function onServerLine(line: string) {
    serverLog(line)
    const entry = parseEntry(line)
    if (entry?.msg === 'listening') url = entry.url
    if (entry?.msg === 'ready' && url) void printWelcome({ url, dataDir, isEmbedded: Boolean(database), write })
  }
  const server = startService({ name: 'server', args: [join(root, 'server/main.ts')], env, onLine: onServerLine })
  const engine = startService({
    name: 'engine',
    args: [join(root, 'engine/main.ts')],
    env,
    isRestarted: true,
    onLine: createLogView('engine', { isTerminal, write }),
  })

  const signalled = new Promise<number>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => done(0))
  })
  const status = await Promise.race([signalled, server.ended.then((code) => code || 1)])
  await stopAll([server, engine])
  await database?.stop()
  process.exit(status)
}

async function stopAll(services: Service[]) {
  if (isTerminal) write('\nStopping...\n')
  await Promise.all(services.map((service) => service.stop(graceMs)))
}

await main().catch(fail)
