// The engine process: takes work from the queue until it is told to stop.
import { pino } from 'pino'
import { readConfig } from '#data/config.ts'
import { openDatabase } from '#data/connect.ts'
import { startEngine } from './engine.ts'

function loadConfig() {
  try {
    return readConfig(process.env)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  }
}

const config = loadConfig()
const log = pino({ level: config.logLevel, base: { service: 'engine' } })
const database = openDatabase(config, { onFailure: (err) => log.warn({ err }, 'the database cannot be reached yet') })

// The supervisor's channel closes when it dies: nobody would stop us then.
const stopping = new Promise<string>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'disconnect']) process.once(signal, () => resolve(signal))
})

const connected = await Promise.race([database.connected.then(() => true), stopping.then(() => false)])
if (connected) {
  const engine = await startEngine(config, database.connection, log)
  log.info({ engineId: engine.id }, 'engine ready')
  log.info({ reason: await stopping }, 'engine stopping')
  await engine.stop()
}
await database.close()
process.exit(0)
