import { setTimeout as wait } from 'node:timers/promises'
import type { Logger, LoggerOptions } from 'pino'
import type { Database, DatabaseConnection } from './connect.ts'
import { isCausedByUnavailableDatabase } from './database-errors.ts'

/** Interval between checks whether an outage is over. */
const checkMs = 500
/** Calls that began during an outage may still fail this long after its end. */
const quietMs = 1000

interface OutageLogDeps {
  /** Returns the process's database. */
  database: () => Pick<Database, 'connection'>
  /** The process's log, without the bindings of a request or job. */
  log: () => Pick<Logger, 'warn'>
  /** Ends the wait for the end of an outage. Default: it ends with the process. */
  closed?: AbortSignal
}

interface Outage {
  beganAtMs: number
  lastFailureAtMs: number
  leftOut: number
}

/**
 * Returns pino hooks that replace all messages about an unreachable database by one when an outage begins and one when it ends: during an
 * election, each request, poll and timer of a process fails for the same reason. A message counts as one if its error, or a cause of the
 * error, says so.
 */
export function createOutageHooks({ database, log, closed }: OutageLogDeps): NonNullable<LoggerOptions['hooks']> {
  let outage: Outage | undefined

  async function awaitEnd(current: Outage): Promise<void> {
    const isOver = () => performance.now() - current.lastFailureAtMs >= quietMs
    do {
      await wait(checkMs, undefined, { ref: false })
      if (closed?.aborted) return
    } while (!(await responds(database().connection)) || !isOver())
    outage = undefined
    const seconds = Math.round((performance.now() - current.beganAtMs) / 1000)
    log().warn({ seconds, leftOut: current.leftOut }, 'the database can be reached again')
  }

  return {
    logMethod(args, method) {
      const error = errorOf(args[0])
      if (!isCausedByUnavailableDatabase(error)) return method.apply(this, args)
      const nowMs = performance.now()
      if (outage) {
        outage.leftOut += 1
        outage.lastFailureAtMs = nowMs
        return
      }
      outage = { beganAtMs: nowMs, lastFailureAtMs: nowMs, leftOut: 0 }
      log().warn({ reason: describe(error) }, 'the database cannot be reached')
      void awaitEnd(outage)
    },
  }
}

/** Returns the error of a message in either of pino's forms. */
function errorOf(first: unknown): unknown {
  return typeof first === 'object' && first !== null && 'err' in first ? first.err : first
}

/** Describes the first failure, without a stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  return error.cause instanceof Error && !error.name.startsWith('Mongo')
    ? describe(error.cause)
    : `${error.name}: ${error.message}`
}

async function responds({ db }: DatabaseConnection): Promise<boolean> {
  try {
    return (await db?.command({ ping: 1 })) !== undefined
  } catch {
    return false
  }
}
