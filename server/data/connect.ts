import { setTimeout as wait } from 'node:timers/promises'
import { subscribe } from 'node:diagnostics_channel'
import { errorMonitor, type EventEmitter } from 'node:events'
import { Socket } from 'node:net'
import { MongoClient } from 'mongodb'
import mongoose from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { Config } from './config.ts'
import { describeConnectionFailure } from './connection-failures.ts'
import { clientOptions, connectionOptions } from './connection-options.ts'
import { inspectDeployment, UnsupportedDatabaseError, type Deployment } from './deployment.ts'

let isWatching = false

/**
 * Ends a wait of the MongoDB driver (7.8) that would never end. After a write that the socket did not take
 * at once, it waits for `drain` and listens only to `error`; a socket closed without an error, by the peer or by the driver's own time
 * limit, emits only `close`. The call then waits forever, and its connection stays checked out; if it was the monitor's, the driver
 * never checks the database again. Emitting `drain` when a socket ends lets the driver proceed to its own check, which finds the
 * connection closed. On an error, `drain` precedes the driver's listener too: the driver would pass that error on unchanged
 * (`write EPIPE`), neither treating the database as lost nor retrying a write that it may retry.
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

/** The connection that repositories are opened with; opaque outside `server/data`. */
export type DatabaseConnection = mongoose.Connection

export interface Database {
  /** Models are created per connection (`userModel(connection)`), so that several servers can live in one process. */
  connection: DatabaseConnection
  /** Resolves at the first connection; rejects only where the database is too old, with `UnsupportedDatabaseError`. */
  connected: Promise<unknown>
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
 * Opens the database and returns at once; retries until it is reachable. Operations before then fail immediately instead of
 * waiting in a buffer. No sessions, transactions or change streams: the embedded engine has none.
 */
export function openDatabase(config: Pick<Config, 'mongodbUri'>, options: ConnectOptions = {}): Database {
  const uri = config.mongodbUri
  if (!uri) throw new Error('MONGODB_URI is not set. `npm start` starts the embedded database and sets it.')
  wakeWritersOfClosedSockets()
  const connection = mongoose.createConnection()
  connection.set('bufferCommands', false)
  const stop = new AbortController()
  const { dbName = databaseName(uri) } = options
  const connected = retryUntilConnected(uri, {
    dbName,
    signal: stop.signal,
    onFailure: options.onFailure,
    connect: (deployment) => connection.openUri(uri, { dbName, ...connectionOptions(uri, deployment, options) }),
  })
  // Callers that await it get the error too.
  connected.catch(() => undefined)
  let isClosed = false

  async function close() {
    if (isClosed) return
    isClosed = true
    stop.abort()
    await connection.close().catch(() => undefined)
  }

  return { connection, connected, close }
}

interface Connecting<Value> {
  dbName: string
  connect: (deployment: Deployment) => Promise<Value>
  onFailure?: ((error: unknown) => void) | undefined
  /** Ends the attempts. */
  signal: AbortSignal
}

/** Calls `connect` every second until it succeeds. Returns its result; undefined once aborted. Throws where the database is too old. */
async function retryUntilConnected<Value>(
  uri: string,
  { dbName, connect, onFailure, signal }: Connecting<Value>,
): Promise<Value | undefined> {
  while (!signal.aborted) {
    try {
      return await connect(await inspectDeployment(uri, { dbName, timeoutMs: inspectionTimeoutMs, signal }))
    } catch (error) {
      if (signal.aborted) break
      if (error instanceof UnsupportedDatabaseError) throw error
      onFailure?.(error)
      await wait(retryDelayMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return undefined
}

/** How long a command waits for its first connection: as long as a database takes to start. */
const firstConnectionMs = 30_000

interface FirstConnection {
  /** Default 30 s. */
  firstConnectionTimeoutMs?: number
  /** Ends the wait, with its reason. */
  signal?: AbortSignal | undefined
}

/** Opens the database like `openDatabase` and waits for the first connection. Throws `unavailable` where there is none within 30 s. */
export async function connectDatabase(
  config: Pick<Config, 'mongodbUri'>,
  { firstConnectionTimeoutMs, signal, ...options }: ConnectOptions & FirstConnection = {},
): Promise<Database> {
  let lastFailure: unknown
  const onFailure = (error: unknown) => {
    lastFailure = error
    options.onFailure?.(error)
  }
  const database = openDatabase(config, { ...options, onFailure })
  try {
    await waitForFirst(database.connected, { firstConnectionTimeoutMs, signal, reason: () => lastFailure })
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

/**
 * Opens a driver client for commands that read or write whole collections: `connectDatabase` without mongoose and without a time limit
 * per call. It uses the product's write and read concerns, whatever the URI says. The caller closes it.
 *
 * @throws AppError `unavailable` where there is no connection within 30 s
 */
export async function connectClient(uri: string, first: FirstConnection = {}): Promise<MongoClient> {
  wakeWritersOfClosedSockets()
  const stop = new AbortController()
  let lastFailure: unknown
  const connected = retryUntilConnected(uri, {
    dbName: databaseName(uri),
    signal: stop.signal,
    onFailure: (error) => (lastFailure = error),
    async connect(deployment) {
      const client = new MongoClient(uri, clientOptions(uri, deployment))
      stop.signal.addEventListener('abort', () => void client.close(true).catch(() => undefined))
      return client.connect()
    },
  })
  try {
    return await waitForFirst(connected, { ...first, reason: () => lastFailure })
  } catch (error) {
    stop.abort()
    connected.catch(() => undefined)
    throw error
  }
}

/** Waits for the first connection. Throws `unavailable`, caused by `reason`, if it takes too long, and the signal's reason if aborted. */
async function waitForFirst<Value>(
  connected: Promise<Value | undefined>,
  { firstConnectionTimeoutMs = firstConnectionMs, signal, reason }: FirstConnection & { reason: () => unknown },
): Promise<Value> {
  const ended = new AbortController()
  const limit = AbortSignal.any([ended.signal, ...(signal ? [signal] : [])])
  const timeout = wait(firstConnectionTimeoutMs, undefined, { signal: limit })
  try {
    const value = await Promise.race([connected, timeout])
    if (value !== undefined) return value
    throw unreachableError(reason())
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  } finally {
    ended.abort()
    timeout.catch(() => undefined)
  }
}

function unreachableError(cause: unknown): AppError {
  const failure = describeConnectionFailure(cause)
  if (failure) return new AppError('unavailable', failure.reason, { help: failure.advice, cause })
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
