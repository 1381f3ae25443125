// npm start: builds the web app if stale, then runs the embedded database (without MONGODB_URI), server and engines until a signal.
import { access, constants, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readConfig, type Config } from '#data/config.ts'
import { loadEnvFile } from '#data/env-file.ts'
import { makeRuntimeFolder } from '#server/embedded-db/launch.ts'
import { socketUri } from '#server/embedded-db/socket.ts'
import { startBackupSchedule, type BackupSchedule } from './supervisor/backup-schedule.ts'
import { findLaunchers, onLauncherExit } from './supervisor/processes.ts'
import { printWelcome } from './supervisor/welcome.ts'
import { levels } from './supervisor/log-entry.ts'
import { chooseLogFormat, findOutputKind, isJournal, type LogFormat } from './supervisor/log-format.ts'
import { createLogView, createSentenceLog } from './supervisor/log-view.ts'
import { startService, type Service } from './supervisor/service.ts'
import { buildWebIfStale } from './web/build.ts'

const root = dirname(import.meta.dirname)
const output = findOutputKind(process.env)
const { isTerminal } = output
const write = (text: string) => process.stdout.write(text)
/** Time to finish running work; together less than 10 s, the grace period of `docker stop`. */
const graceMs = { services: 7_000, database: 2_000 }
/** The engine also computes in its event loop, so it may stay silent for a long time. */
const engineHungAfterSeconds = 60

/** Exits with an error before the settings, and thus the log format, are known. */
function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error)
  console.error(isJournal(process.env.JOURNAL_STREAM, 2) ? reason.replaceAll(/^/gm, '<2>') : reason)
  process.exit(1)
}

function loadConfig() {
  try {
    loadEnvFile(process.env)
    return readConfig(process.env)
  } catch (error) {
    return fail(error)
  }
}

/** Creates the data folder. Throws, before anything starts, if it cannot be written to. */
async function makeDataFolder(dataDir: string) {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await access(dataDir, constants.W_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The folder DATA_DIR (${dataDir}) cannot be used: ${reason}`, { cause: error })
  }
}

interface RunningDatabase {
  service: Service
  uri: string
  /**
   * Writes the file with its address, through which commands connect to it (scripts/admin/database.ts). Call it only once the database is
   * ready: if another process has the data file open, the address file belongs to that process.
   */
  publishAddress(): Promise<void>
  /** Removes its socket, and its address file if it wrote one. */
  removeFiles(): Promise<void>
}

/** Starts the embedded database; it listens once its service is ready. */
async function openDatabase(dataDir: string, format: LogFormat): Promise<RunningDatabase> {
  const show = createLogView('database', { format, write })
  const runtimeDir = await makeRuntimeFolder()
  await mkdir(join(dataDir, 'db'), { recursive: true, mode: 0o700 })
  const socketPath = join(runtimeDir, 'db.sock')
  const uri = socketUri(socketPath)
  const main = join(root, 'server/embedded-db/main.ts')
  const paths = ['--data', join(dataDir, 'db', 'awaz.sqlite'), '--socket', socketPath]
  const service = startService({
    name: 'database',
    args: ['--disable-warning=ExperimentalWarning', main, ...paths],
    env: () => process.env,
    onLine: (line) => line.startsWith('{"ready"') || show(line),
  })
  const uriFile = join(dataDir, 'db', 'uri')
  let isPublished = false
  async function publishAddress() {
    isPublished = true
    await writeFile(uriFile, `${uri}\n`, { mode: 0o600 })
  }
  async function removeFiles() {
    if (isPublished) await rm(uriFile, { force: true })
    await rm(runtimeDir, { recursive: true, force: true })
  }
  return { service, uri, publishAddress, removeFiles }
}

interface ServiceContext {
  dataDir: string
  config: Config
  format: LogFormat
  database?: RunningDatabase
}

/** Whether to show only problems: on a terminal, where someone watches the start, unless the settings choose a level. */
function isQuiet({ logFormat }: Config): boolean {
  const { LOG_LEVEL, LOG_LEVEL_FILE } = process.env
  return isTerminal && logFormat === 'auto' && !LOG_LEVEL && !LOG_LEVEL_FILE
}

/** Returns the environment for services and commands that use this database. */
function serviceEnv({ dataDir, config, database }: ServiceContext): NodeJS.ProcessEnv {
  return {
    ...process.env,
    DATA_DIR: dataDir,
    MODELS_DIR: resolve(config.modelsDir),
    ...(isQuiet(config) && { LOG_LEVEL: 'warn' }),
    ...(database && { MONGODB_URI: database.uri, MONGODB_URI_FILE: undefined }),
  }
}

/** Schedules the daily backup where BACKUP_DIR and BACKUP_TIME are set; with several hosts, on the server's host. */
function scheduleBackups(
  { folder, time }: Config['backup'],
  { ready, ...context }: ServiceContext & { ready: Promise<void> | undefined },
): BackupSchedule | undefined {
  if (folder === undefined || time === undefined || !context.config.hasServer || !ready) return undefined
  return startBackupSchedule({
    folder,
    time,
    ready,
    env: serviceEnv(context),
    onLine: createLogView('backup', { format: context.format, write }),
    onInfo: createLogView('backup', { format: context.format, write, level: levels.info }),
  })
}

/** Starts server and engines on a database; only engines where RUN_SERVER is false. A process that has work for the others wakes them. */
function startServices(context: ServiceContext) {
  const { dataDir, config, format, database } = context
  const env = serviceEnv(context)
  const services: Service[] = []
  const relayFrom = (name: string) => (message: string) => {
    if (message === 'wake') for (const service of services) if (service.name !== name) service.send(message)
  }
  const engines = nameEngines(config.engineProcesses).map((name) =>
    startService({
      name,
      args: [join(root, 'engine/main.ts')],
      env: () => env,
      hungAfterSeconds: engineHungAfterSeconds,
      onMessage: relayFrom(name),
      onLine: createLogView(name, { format, write }),
    }),
  )
  if (config.hasServer) {
    const engineReady = Promise.race(engines.map(({ ready }) => ready))
    const onMessage = relayFrom('server')
    services.push(startServer({ env, dataDir, format, isEmbedded: Boolean(database), engineReady, onMessage }))
  }
  services.push(...engines)
  return services
}

interface ServerOptions {
  env: NodeJS.ProcessEnv
  dataDir: string
  format: LogFormat
  isEmbedded: boolean
  /** Resolves when the first engine is ready. */
  engineReady: Promise<void>
  onMessage: (message: string) => void
}

/** On a terminal, shows migrations in a single line that is updated; elsewhere they are in the log. */
function showMigration(message: string): void {
  if (isTerminal && message.startsWith('migrating ')) write(`\r  The data is being upgraded: ${message}\u001b[K`)
}

/** Returns large buffers, such as those of finished files, to the system when they are freed; glibc would keep them for reuse. */
const serverMemory = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' }

/**
 * Limits short-lived objects to 12 MB instead of V8's 48 MB: during many downloads, the rest held dead objects and files already sent.
 */
const serverFlags = ['--max-semi-space-size=4']

/** Starts the server, and prints the welcome once it is ready. A restarted server keeps its port. */
function startServer({ env, format, onMessage, ...about }: ServerOptions) {
  let url: string | undefined
  const server = startService({
    name: 'server',
    args: [...serverFlags, join(root, 'server/main.ts')],
    env: () => ({ ...serverMemory, ...env, ...(url && { PORT: new URL(url).port, PORT_FILE: undefined }) }),
    onLine: createLogView('server', { format, write }),
    onMessage(message) {
      url = /^listening (.*)/.exec(message)?.[1] ?? url
      showMigration(message)
      onMessage(message)
    },
  })
  void welcome()
  return server

  async function welcome() {
    await server.ready
    if (!url) return
    await printWelcome({ url, ...about, write: isTerminal ? write : createSentenceLog({ format, write }) })
    if (isTerminal) write('  Ctrl-C stops it.\n\n')
  }
}

/** Returns `engine` for a single engine, else `engine 1` and so on. */
function nameEngines(count: number): string[] {
  if (count === 1) return ['engine']
  return Array.from({ length: count }, (_, index) => `engine ${index + 1}`)
}

function reportFailure(reason: string, format: LogFormat): void {
  if (isTerminal) console.error(reason)
  else createSentenceLog({ format, write: (text) => process.stderr.write(text), level: levels.fatal })(reason)
}

/** Resolves on a signal, or when bootstrap or npm has exited. */
function waitForStop(): Promise<undefined> {
  return new Promise((done) => {
    const stop = () => done(undefined)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
    onLauncherExit(findLaunchers(process.env), stop)
  })
}

async function main() {
  const config = loadConfig()
  const format = chooseLogFormat(config.logFormat, output)
  const stopped = waitForStop()
  // The process that reads the output may exit first.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  const dataDir = resolve(config.dataDir)
  await makeDataFolder(dataDir)
  // Caches compiled code, so that server, engine and their children start in about half the time.
  process.env.NODE_COMPILE_CACHE ??= join(dataDir, 'compile-cache')
  const isWebBuilt = config.hasServer ? buildWebIfStale(root) : undefined
  if (await Promise.race([isWebBuilt, stopped.then(() => true)])) process.exit(0)

  const database = config.mongodbUri ? undefined : await openDatabase(dataDir, format)
  let services: Service[] = []
  let backups: BackupSchedule | undefined
  const failure = await Promise.race([stopped, run()])
  if (failure) reportFailure(failure, format)
  if (isTerminal) write('\nStopping...\n')
  await Promise.all([backups?.stop(graceMs.services), ...services.map((service) => service.stop(graceMs.services))])
  await database?.service.stop(graceMs.database)
  await database?.removeFiles()
  process.exit(failure ? 1 : 0)

  /** Runs the services. Resolves with the reason if one cannot be started. */
  async function run(): Promise<string> {
    const failed = [database?.service.failed ?? new Promise<never>(() => undefined)]
    const failedFirst = await Promise.race([...failed, database?.service.ready])
    if (failedFirst) return failedFirst
    await database?.publishAddress()
    services = startServices({ dataDir, config, format, ...(database && { database }) })
    // The server is the first service.
    const ready = services[0]?.ready
    backups = scheduleBackups(config.backup, { dataDir, config, format, ready, ...(database && { database }) })
    return Promise.race([...failed, ...services.map((service) => service.failed)])
  }
}

await main().catch(fail)
