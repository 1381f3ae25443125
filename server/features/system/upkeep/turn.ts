import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import { createLease } from '#data/system/lease.ts'

interface TurnDeps {
  connection: DatabaseConnection
  log: Pick<Logger, 'debug'>
  /** Ends this server's work. */
  closing: AbortSignal
}

interface HoldOptions<Result> {
  work: (signal: AbortSignal) => Promise<Result>
  /** Aborted if another server has taken the turn. */
  abort: AbortController
  /** Called every second while the work is running. */
  onTick?: () => Promise<void>
}

/** A server that has not extended its lease for this long has died. */
export const leaseMs = 15_000
const tickMs = 1000

/** The turn to run a command for super admins, held by one server of a database at a time. */
export function createTurn({ connection, log, closing }: TurnDeps) {
  const lease = createLease(connection, { name: 'upkeep', leaseMs })

  /** Throws `conflict` if another holder has it. */
  async function take(holder: string): Promise<void> {
    closing.throwIfAborted()
    if (await lease.acquire(holder)) return
    throw new AppError('conflict', 'Checks, a rehearsal or a support archive are under way.', {
      help: 'Wait until they have ended, or end them on the page System.',
    })
  }

  /** Does work during the turn that `holder` took; extends the turn meanwhile, and releases it afterwards. */
  async function hold<Result>(holder: string, { work, abort, onTick }: HoldOptions<Result>): Promise<Result> {
    const ended = new AbortController()
    const extended = extend()
    try {
      return await work(AbortSignal.any([abort.signal, closing]))
    } finally {
      ended.abort()
      await extended
      await lease.release(holder).catch(() => undefined) // the lease expires by itself
    }

    async function extend(): Promise<void> {
      for (;;) {
        await wait(tickMs, undefined, { signal: ended.signal, ref: false }).catch(() => undefined)
        if (ended.signal.aborted) return
        try {
          if (!(await lease.renew(holder))) abort.abort(new Error('Another server took its place.'))
          await onTick?.()
        } catch (err) {
          log.debug({ err }, 'the turn of a command could not be extended')
        }
      }
    }
  }

  /** Does work while nothing else is under way. The signal aborts it. Throws `conflict` if something else is under way. */
  async function during<Result>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const holder = newId()
    await take(holder)
    return hold(holder, { work: (own) => work(AbortSignal.any([own, signal])), abort: new AbortController() })
  }

  return { take, hold, during, isTaken: lease.isHeld }
}
