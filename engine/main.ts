// The engine process: runs jobs from the queue until it is signaled to stop.
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import { watchActivity } from '#data/activity.ts'
import { systemClock } from '#data/clock.ts'
import { readConfig } from '#data/config.ts'
import { openDatabase, type Database } from '#data/connect.ts'
import { createConnectionReport } from '#data/connection-failures.ts'
import { NewerDataError } from '#data/data-version.ts'
import { isDatabaseUnavailable } from '#data/database-errors.ts'
import { loadEnvFile } from '#data/env-file.ts'
import { exitWhenStuck } from '#data/liveness.ts'
import { followLogLevel } from '#data/log/follow-log-level.ts'
import { createProcessLog } from '#data/log/process-log.ts'
import { createOutageHooks } from '#data/outage-log.ts'
import {
  onWake,
  permanentFailure,
  reportToSupervisor,
  temporaryFailure,
  untilStopped,
  wakeOthers,
} from '#data/supervised.ts'
import { startEngine } from './engine.ts'

function loadConfig() {
  try {
    loadEnvFile(process.env)
    return readConfig(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}

const reportReady = reportToSupervisor()
const stopping = untilStopped()
const config = loadConfig()
const hooks = createOutageHooks({ database: () => database, log: () => log })
const processLog = createProcessLog({ service: 'engine', level: config.logLevel, hooks })
const log: Logger = processLog.log
const database: Database = openDatabase(config, {
  onFailure: createConnectionReport(log),
})

async function start() {
  await database.connected
  const { connection } = database
  const activity = watchActivity(connection, { wakeOthers })
  onWake(activity.wake)
  followLogLevel(activity, connection, {
    processLog,
    service: 'engine',
    usual: config.logLevel,
    clock: systemClock,
  })
  exitWhenStuck({ database, config, log })
  return startEngine({ config, connection, log, activity })
}

function failToStart(error: unknown): never {
  if (error instanceof AppError) {
    console.error(error.message, error.help)
    process.exit(error instanceof NewerDataError ? permanentFailure : 1)
  }
  if (!isDatabaseUnavailable(error)) throw error
  log.warn({ err: error }, 'the connection to the database was lost while the engine started')
  process.exit(temporaryFailure)
}

const engine = await Promise.race([start(), stopping.then(() => undefined)]).catch(failToStart)
if (engine) {
  reportReady()
  log.info({ engineId: engine.id }, 'engine ready')
  log.info({ reason: await stopping }, 'engine stopping')
  await engine.stop()
}
await database.close()
process.exit(0)
