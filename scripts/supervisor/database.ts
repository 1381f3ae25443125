import { setTimeout as wait } from 'node:timers/promises'
import {
  startEmbeddedDatabase,
  type EmbeddedDatabase,
  type EmbeddedDatabaseOptions,
} from '#server/embedded-db/launch.ts'

export interface KeptDatabase {
  /** Stays the same when the process is started again. */
  uri: string
  /** Of the process that runs now. */
  pid(): number
  /** Ends the process cleanly and starts it no more. */
  stop(): Promise<void>
}

const longestDelayMs = 30_000
/** A process that lived this long was healthy: the next restart is quick again. */
const healthyAfterMs = 60_000

/**
 * Runs the embedded database and starts it again, with growing delays, when it ends by itself: nothing acknowledged is lost, and
 * server and engine find it at the same address. Only the first start can fail.
 */
export async function keepDatabaseRunning(
  options: Pick<EmbeddedDatabaseOptions, 'dataFile' | 'socketPath'>,
  { onLine, firstDelayMs = 200 }: { onLine: (line: string) => void; firstDelayMs?: number },
): Promise<KeptDatabase> {
  const stopping = new AbortController()
  const start = () => startEmbeddedDatabase({ ...options, signal: stopping.signal })
  let current: EmbeddedDatabase = await start()
  let startedAt = Date.now()
  let delayMs = firstDelayMs

  async function restart(): Promise<void> {
    await wait(delayMs, undefined, { signal: stopping.signal })
    delayMs = Math.min(delayMs * 2, longestDelayMs)
    try {
      current = await start()
      startedAt = Date.now()
    } catch (error) {
      onLine(`the database could not be started: ${error instanceof Error ? error.message : String(error)}`)
      await restart()
    }
  }

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      const status = await current.exited
      if (stopping.signal.aborted) return
      if (Date.now() - startedAt > healthyAfterMs) delayMs = firstDelayMs
      onLine(`the database ended (${status ?? 'killed'}); starting it again`)
      await restart()
    }
  }

  const kept = keep().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error
  })
  return {
    uri: current.uri,
    pid: () => current.pid,
    async stop() {
      stopping.abort() // ends the process that runs, and one that is just starting
      await kept
      await current.exited
    },
  }
}
