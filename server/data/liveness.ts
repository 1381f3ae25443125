import { setTimeout as wait } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import type { Config } from './config.ts'
import type { Database } from './connect.ts'
import { temporaryFailure } from './supervised.ts'

interface LivenessOptions {
  database: Pick<Database, 'connection'>
  uri: string
  /** Called once, when this process cannot reach a database that a new connection reaches. */
  onStuck: () => void
  /** Rest between two looks. Default 1 s. */
  intervalMs?: number
}

/** Looks in a row that must find the process stuck: with their rests about 8 s, longer than a sound driver needs to reconnect. */
const maxStuckLooks = 4
const pingTimeoutMs = 1500

/**
 * Watches over the connection that a process works with. A database that nobody can reach is no fault of the process, which waits for
 * it; but where a new connection is answered and the process's own is not, and no call of the process came through either, only a
 * new process helps. Returns a function that ends the watch.
 */
export function watchLiveness({ database, uri, onStuck, intervalMs = 1000 }: LivenessOptions): () => void {
  const ended = new AbortController()
  const { connection } = database
  let calls = 0
  connection.getClient().on('connectionCheckedOut', () => (calls += 1))

  async function isStuck(): Promise<boolean> {
    const callsBefore = calls
    if (await answers(() => connection.db?.command({ ping: 1 }))) return false
    return calls === callsBefore && (await answers(() => pingAnew(uri)))
  }

  async function watch(): Promise<void> {
    let stuckLooks = 0
    while (!ended.signal.aborted) {
      await wait(intervalMs, undefined, { signal: ended.signal, ref: false })
      stuckLooks = (await isStuck()) ? stuckLooks + 1 : 0
      if (stuckLooks < maxStuckLooks) continue
      ended.abort()
      onStuck()
    }
  }

  watch().catch(() => undefined) // rejects when it is ended in its rest
  return () => ended.abort()
}

/** Ends this process, so that the supervisor starts a new one, when it alone cannot reach the database. */
export function exitWhenStuck(
  database: Pick<Database, 'connection'>,
  { mongodbUri = '' }: Pick<Config, 'mongodbUri'>,
  log: { fatal: (message: string) => void },
): void {
  watchLiveness({
    database,
    uri: mongodbUri,
    onStuck() {
      log.fatal('the database answers others and not this process; ending it, so that a new one is started')
      process.exit(temporaryFailure)
    },
  })
}

async function answers(ping: () => Promise<unknown> | undefined): Promise<boolean> {
  const late = wait(pingTimeoutMs, false, { ref: false })
  const answered = Promise.resolve(ping()).then(
    () => true,
    () => false,
  )
  return Promise.race([answered, late])
}

async function pingAnew(uri: string): Promise<void> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: pingTimeoutMs, connectTimeoutMS: pingTimeoutMs })
  try {
    await client.db('admin').command({ ping: 1 })
  } finally {
    // Not awaited: closing may wait for what hangs.
    void client.close(true).catch(() => undefined)
  }
}
