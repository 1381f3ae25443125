import type { RequestListener, Server } from 'node:http'
import { ConfigError, readConfig, type Config } from '#data/config.ts'
import { systemClock } from '#data/clock.ts'
import { openDatabase } from '#data/connect.ts'
import { createApp } from './app.ts'
import { KeyMismatchError } from './features/system/secrets.ts'
import { createHttpServer } from './http/http-server.ts'
import { createLog } from './http/log.ts'
import { answerStarting } from './http/starting.ts'
import { buildServices, type Services } from './services.ts'

/** How long running requests may take to end after SIGTERM. */
const drainMs = 30_000

async function main(): Promise<void> {
  const config = loadConfig()
  const log = createLog(config)
  let handler: RequestListener = answerStarting
  let services: Services | undefined
  const options = { limits: config.http, trustProxyHops: config.trustProxyHops }
  const server = createHttpServer((request, response) => handler(request, response), options)
  const url = await listen(server, config)
  log.info({ url }, 'listening')

  const database = openDatabase(config, {
    onFailure: (error) => log.warn({ err: error }, 'the database cannot be reached; trying again'),
  })
  const stopping = new Promise<void>((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
    process.once('disconnect', resolve) // the supervisor died
  })
  async function becomeReady(): Promise<void> {
    await database.connected
    services = await buildServices({ config, database, clock: systemClock, log })
    handler = createApp(services).callback()
    log.info('ready')
  }
  await Promise.race([stopping, becomeReady().then(() => stopping)])
  log.info('stopping')
  services?.work.endStreams()
  await drain(server)
  await services?.close()
  await database.close()
}

function loadConfig(): Config {
  try {
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

/** Takes no more connections and waits for the running answers; what is still open after that is cut. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), drainMs)
  await closed
  clearTimeout(timer)
}

/** The port is in use, needs more rights, or the address is none of this machine's. */
function isAddressError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(EADDR|EACCES)/.test(String(error.code))
}

function fail(error: unknown): never {
  if (error instanceof KeyMismatchError) console.error(error.message)
  else if (isAddressError(error))
    console.error(`The server cannot listen: ${error.message}. Choose another PORT or HOST.`)
  else console.error(error)
  process.exit(1)
}

await main().then(() => process.exit(0), fail)
