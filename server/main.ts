import type { RequestListener, Server } from 'node:http'
import { AppError } from '#contract/app-error.ts'
import { ConfigError, readConfig, type Config } from '#data/config.ts'
import { watchActivity } from '#data/activity.ts'
import { findConfigWarnings } from '#data/config-warnings.ts'
import { systemClock } from '#data/clock.ts'
import { openDatabase, type Database } from '#data/connect.ts'
import { createConnectionReport } from '#data/connection-failures.ts'
import { NewerDataError } from '#data/data-version.ts'
import { isDatabaseUnavailable } from '#data/database-errors.ts'
import { loadEnvFile } from '#data/env-file.ts'
import { exitWhenStuck } from '#data/liveness.ts'
import { followLogLevel } from '#data/log/follow-log-level.ts'
import { createProcessLog } from '#data/log/process-log.ts'
import type { MigrationProgress } from '#data/migrations/migration-records.ts'
import { createOutageHooks } from '#data/outage-log.ts'
import {
  onWake,
  permanentFailure,
  reportAddress,
  reportMigration,
  reportToSupervisor,
  temporaryFailure,
  untilStopped,
  wakeOthers,
} from '#data/supervised.ts'
import { createApp } from './app.ts'
import { KeyMismatchError } from './security/secrets.ts'
import { prepareDrain } from './http/drain.ts'
import { createHttpServer } from './http/http-server.ts'
import { createStartingResponder } from './http/starting.ts'
import { buildServices, type Services } from './services.ts'

/** Time limits for running requests after a SIGTERM, and after the supervisor has exited. */
const drainTimeoutMs = { signalled: 5000, orphaned: 1500 }

async function main(): Promise<void> {
  const reportReady = reportToSupervisor()
  const stopping = untilStopped()
  const config = loadConfig()
  const hooks = createOutageHooks({ database: () => database, log: () => log })
  const processLog = createProcessLog({ service: 'server', level: config.logLevel, hooks })
  const { log } = processLog
  const starting = createStartingResponder()
  let handler: RequestListener = starting.respond
  let services: Services | undefined
  const options = { limits: config.http, trustProxyHops: config.trustProxyHops }
  const server = createHttpServer((request, response) => handler(request, response), options)
  const drain = prepareDrain(server)
  const url = await listen(server, config)
  log.info({ url }, 'listening')
  for (const warning of findConfigWarnings(config)) log.warn(warning)
  reportAddress(url)

  const database: Database = openDatabase(config, {
    onFailure: createConnectionReport(log),
  })
  function onMigration(progress: MigrationProgress): void {
    starting.showMigration(progress)
    reportMigration(progress)
  }
  async function becomeReady(): Promise<void> {
    await database.connected
    const { connection } = database
    const activity = watchActivity(connection, { wakeOthers })
    onWake(activity.wake)
    const usual = config.logLevel
    followLogLevel(activity, connection, { processLog, service: 'server', usual, clock: systemClock })
    exitWhenStuck({ database, config, log })
    services = await buildServices({ config, database, clock: systemClock, log, onMigration, activity })
    services.webhooks.start(activity)
    handler = createApp(services).callback()
    starting.handOver(handler)
    reportReady()
    log.info('ready')
    services.memory.schedule()
  }
  const reason = await Promise.race([stopping, becomeReady().then(() => stopping)])
  log.info({ reason }, 'stopping')
  services?.work.endStreams()
  await drain(reason === 'disconnect' ? drainTimeoutMs.orphaned : drainTimeoutMs.signalled)
  await services?.close()
  await database.close()
}

function loadConfig(): Config {
  try {
    loadEnvFile(process.env)
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    process.exit(1)
  }
}

async function listen(server: Server, { host, port }: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  const bound = typeof address === 'object' && address ? address.port : port
  return `http://${host === '0.0.0.0' || host === '::' ? 'localhost' : host}:${bound}`
}

/** Returns whether the port is in use or privileged, or the address is not one of this machine. Files can also fail with EACCES. */
function isAddressError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen'
}

function fail(error: unknown): never {
  if (isDatabaseUnavailable(error)) {
    console.error(`The connection to the database was lost while the server started: ${String(error)}`)
    process.exit(temporaryFailure)
  }
  if (error instanceof KeyMismatchError) console.error(error.message)
  else if (error instanceof AppError) console.error(error.message, error.help)
  else if (isAddressError(error))
    console.error(`The server cannot listen: ${error.message}. Choose another PORT or HOST.`)
  else console.error(error)
  process.exit(error instanceof NewerDataError ? permanentFailure : 1)
}

await main().then(() => process.exit(0), fail)
