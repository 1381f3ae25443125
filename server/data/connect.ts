import { setTimeout as wait } from 'node:timers/promises'
import mongoose from 'mongoose'
import type { Config } from './config.ts'
import { wakeWritersOfClosedSockets } from './driver-sockets.ts'

/** What repositories are opened with; opaque outside `server/data`. */
export type DatabaseConnection = mongoose.Connection

export interface Database {
  /** Models are made per connection (`userModel(connection)`): several servers can live in one process. */
  connection: DatabaseConnection
  /** Resolves at the first connection; never rejects. */
  connected: Promise<void>
  close(): Promise<void>
}

interface ConnectOptions {
  /** Default: the name in the URI, else `awaz`. */
  dbName?: string
  /** Called for each failed attempt to connect. */
  onFailure?: (error: unknown) => void
}

/** A read fails after this time and is not repeated, so that a request gets its response within 5 s when the database hangs. */
const operationTimeoutMs = 3000
/** For opening a connection, and for waiting for a free one. */
const checkoutTimeoutMs = 1500
const retryDelayMs = 1000
/** Interval at which the driver checks the database: it is found again this soon even without requests. */
const heartbeatFrequencyMs = 2000

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
  const connected = connectUntilDone()
  let isClosed = false

  async function connectUntilDone(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await connection.openUri(uri ?? '', {
          dbName: options.dbName ?? databaseName(uri ?? ''),
          autoIndex: false,
          autoCreate: false,
          bufferCommands: false,
          serverSelectionTimeoutMS: 3000,
          socketTimeoutMS: operationTimeoutMs,
          connectTimeoutMS: checkoutTimeoutMs,
          waitQueueTimeoutMS: checkoutTimeoutMs,
          heartbeatFrequencyMS: heartbeatFrequencyMs,
          retryReads: false,
        })
        return
      } catch (error) {
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

/** Like `openDatabase`, and waits for the first connection. */
export async function connectDatabase(
  config: Pick<Config, 'mongodbUri'>,
  options: ConnectOptions = {},
): Promise<Database> {
  const database = openDatabase(config, options)
  await database.connected
  return database
}

/** Returns the name of the database in a connection string, `awaz` where it names none. */
export function databaseName(uri: string): string {
  const path = /^mongodb(?:\+srv)?:\/\/[^/]+\/([^?]*)/.exec(uri)?.[1]
  return path ? decodeURIComponent(path) : 'awaz'
}
