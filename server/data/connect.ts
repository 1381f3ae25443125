import { setTimeout as wait } from 'node:timers/promises'
import { subscribe } from 'node:diagnostics_channel'
import { errorMonitor, type EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import mongoose from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { Config } from './config.ts'
import { connectionOptions } from './connection-options.ts'
import { inspectDeployment, UnsupportedDatabaseError } from './deployment.ts'

let isWatching = false

/**
 * Ends a wait of the MongoDB driver (7.8) that would never end. It waits for `drain` after a write that the socket did not take at
 * once and listens only to `error` while it waits; a socket that was closed without one, by the peer's end or by the driver's own
 * time limit, emits only `close`. The call then waits forever, and its connection stays checked out; if it was the monitor's, the
 * driver never checks the database again. A `drain` at the end of every socket lets the driver proceed to its own check, which
 * finds the connection closed. With an error it comes before the driver's own listener too: the driver would pass that error on as
 * it is (`write EPIPE`), neither treating the database as lost nor retrying a write that it may retry.
 */
function wakeWritersOfClosedSockets(): void {
  if (isWatching) return
  isWatching = true
  subscribe('net.client.socket', (message) => {
    const socket = message && typeof message === 'object' && 'socket' in message ? message.socket : undefined
    if (!(socket instanceof Socket)) return
    const wake = () => socket.emit('drain')
    const events: EventEmitter = socket // the socket's own types know no errorMonitor
    events.once(errorMonitor, wake)
    events.once('close', wake)
  })
}

/** What repositories are opened with; opaque outside `server/data`. */
export type DatabaseConnection = mongoose.Connection

export interface Database {
  /** Models are made per connection (`userModel(connection)`): several servers can live in one process. */
  connection: DatabaseConnection
  /** Resolves at the first connection; rejects with `UnsupportedDatabaseError` where the database is too old, and never else. */
  connected: Promise<void>
  close(): Promise<void>
}

interface ConnectOptions {
  /** Default: the name in the URI, or `awaz`. */
  dbName?: string
  /** Called for each failed attempt to connect. */
  onFailure?: (error: unknown) => void
  /** How long a call waits while a replica set elects a primary. Default 10 s. */
  electionTimeoutMs?: number
}

const inspectionTimeoutMs = 3000
const retryDelayMs = 1000

/**
 * Opens the database and returns at once; tries again until it is reachable. Operations before that fail immediately instead of
 * waiting in a buffer. No sessions, transactions or change streams: the embedded engine has none.
 */
export function openDatabase(config: Pick<Config, 'mongodbUri'>, options: ConnectOptions = {}): Database {
  const uri = config.mongodbUri
  if (!uri) throw new Error('MONGODB_URI is not set. `npm start` starts the embedded database and sets it.')
  wakeWritersOfClosedSockets()
  const connection = mongoose.createConnection()
  connection.set('bufferCommands', false)
  const stop = new AbortController()
  const connected = connectUntilDone(uri)
  // Callers that wait for it get the error too.
  connected.catch(() => undefined)
  let isClosed = false

  async function connectUntilDone(uri: string): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        const deployment = await inspectDeployment(uri, { timeoutMs: inspectionTimeoutMs })
        await connection.openUri(uri, {
          dbName: options.dbName ?? databaseName(uri),
          ...connectionOptions(uri, deployment, options),
        })
        return
      } catch (error) {
        if (error instanceof UnsupportedDatabaseError) throw error
        options.onFailure?.(error)
        await wait(retryDelayMs, undefined, { signal: stop.signal }).catch(() => undefined)
      }
    }
  }

  async function close() {
    if (isClosed) return
    isClosed = true
    stop.abort()
    await connection.close().catch(() => undefined)
  }

  return { connection, connected, close }
}

/** How long a command waits for its first connection: as long as a database takes to start. */
const firstConnectionMs = 30_000

/** Like `openDatabase`, and waits for the first connection. Throws `unavailable` where there is none within 30 s. */
export async function connectDatabase(
  config: Pick<Config, 'mongodbUri'>,
  {
    firstConnectionTimeoutMs = firstConnectionMs,
    ...options
  }: ConnectOptions & { firstConnectionTimeoutMs?: number } = {},
): Promise<Database> {
  let lastFailure: unknown
  const onFailure = (error: unknown) => {
    lastFailure = error
    options.onFailure?.(error)
  }
  const database = openDatabase(config, { ...options, onFailure })
  const timer = new AbortController()
  const timeout = wait(firstConnectionTimeoutMs, 'timeout', { signal: timer.signal })
  try {
    if ((await Promise.race([database.connected, timeout])) !== 'timeout') return database
    throw unreachableError(lastFailure)
  } catch (error) {
    await database.close()
    throw error
  } finally {
    timer.abort()
    timeout.catch(() => undefined)
  }
}

function unreachableError(cause: unknown): AppError {
  return new AppError('unavailable', 'The database cannot be reached.', {
    help: 'Check that it runs and that MONGODB_URI names it, then try again.',
    cause,
  })
}

/** Returns the name of the database in a connection string, `awaz` where it names none. */
export function databaseName(uri: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/.exec(uri)?.[1]
  return path ? decodeURIComponent(path) : 'awaz'
}
