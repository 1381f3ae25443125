import { setTimeout as wait } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import type { Config } from './config.ts'
import type { Database, DatabaseConnection } from './connect.ts'
import { temporaryFailure } from './supervised.ts'

interface LivenessOptions {
  database: Pick<Database, 'connection'>
  uri: string
  /** Called once, when this process cannot reach a database that a new connection can reach. */
  onStuck: () => void
  /** Interval between checks. Default 1.5 s: longer than the interval at which every process reads the database (activity.ts). */
  intervalMs?: number
}

/** Consecutive checks that must find the process stuck: about 8 s in all, longer than a working driver needs to reconnect. */
const stuckCheckThreshold = 3
const pingTimeoutMs = 1500

/**
 * Monitors the database connection of a process. While the database is unreachable, the process waits for it; but if a new connection
 * works while the existing one does not, and no call of the process got a connection either, only a new process helps. Pings the
 * database only if nothing else in the process calls it. Returns a function that stops the monitor.
 */
export function watchLiveness({ database, uri, onStuck, intervalMs = 1500 }: LivenessOptions): () => void {
  const ended = new AbortController()
  const { connection } = database
  let hasCalled = false
  connection.getClient().on('connectionCheckedOut', () => (hasCalled = true))

  async function isStuck(): Promise<boolean> {
    if (hasCalled || (await responds(() => ping(connection)))) return false
    return !hasCalled && (await responds(() => pingAnew(uri)))
  }

  async function watch(): Promise<void> {
    let stuckChecks = 0
    while (!ended.signal.aborted) {
      await wait(intervalMs, undefined, { signal: ended.signal, ref: false })
      stuckChecks = (await isStuck()) ? stuckChecks + 1 : 0
      hasCalled = false
      if (stuckChecks < stuckCheckThreshold) continue
      ended.abort()
      onStuck()
    }
  }

  watch().catch(() => undefined) // rejects when stopped while waiting
  return () => ended.abort()
}

interface ExitOptions {
  database: Pick<Database, 'connection'>
  config: Pick<Config, 'mongodbUri'>
  log: { fatal: (message: string) => void }
}

/** Exits the process, so that the supervisor starts a new one, when only this process cannot reach the database. */
export function exitWhenStuck({ database, config: { mongodbUri = '' }, log }: ExitOptions): void {
  watchLiveness({
    database,
    uri: mongodbUri,
    onStuck() {
      log.fatal('the database answers others and not this process; ending it, so that a new one is started')
      process.exit(temporaryFailure)
    },
  })
}

async function ping({ db }: DatabaseConnection): Promise<unknown> {
  return db?.command({ ping: 1 })
}

async function responds(call: () => Promise<unknown>): Promise<boolean> {
  const timeout = wait(pingTimeoutMs, false, { ref: false })
  const response = call().then(
    () => true,
    () => false,
  )
  return Promise.race([response, timeout])
}

async function pingAnew(uri: string): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: pingTimeoutMs, connectTimeoutMS: pingTimeoutMs })
  try {
    await client.db('admin').command({ ping: 1 })
  } finally {
    // Not awaited: closing may wait for an operation that hangs.
    void client.close(true).catch(() => undefined)
  }
}
