import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import { createLease } from '#data/system/lease.ts'

interface TurnDeps {
  connection: DatabaseConnection
  log: Pick<Logger, 'debug'>
  /** Ends the work of this server. */
  closing: AbortSignal
}

interface HoldOptions<Result> {
  work: (signal: AbortSignal) => Promise<Result>
  /** Aborted where another server took the turn. */
  abort: AbortController
  /** Called every second while the work runs. */
  onTick?: () => Promise<void>
}

/** A server that does not extend it for so long has died. */
export const leaseMs = 15_000
const tickMs = 1000

/** The turn to run a command for super admins, which one server of a database has at a time. */
export function createTurn({ connection, log, closing }: TurnDeps) {
  const lease = createLease(connection, { name: 'upkeep', leaseMs })

  /** Throws `conflict` where another has it. */
  async function take(holder: string): Promise<void> {
    closing.throwIfAborted()
    if (await lease.acquire(holder)) return
    throw new AppError('conflict', 'Checks, a rehearsal or a support archive are under way.', {
      help: 'Wait until they have ended, or end them on the page System.',
    })
  }

  /** Does work in the turn that `holder` took, extends it meanwhile, and returns it. */
  async function hold<Result>(holder: string, { work, abort, onTick }: HoldOptions<Result>): Promise<Result> {
    const ended = new AbortController()
    const extended = extend()
    try {
      return await work(AbortSignal.any([abort.signal, closing]))
    } finally {
      ended.abort()
      await extended
      await lease.release(holder).catch(() => undefined) // it ends by itself
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

  /** Does work while nothing else is under way. The signal aborts it. Throws `conflict` where something is. */
  async function during<Result>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const holder = newId()
    await take(holder)
    return hold(holder, { work: (own) => work(AbortSignal.any([own, signal])), abort: new AbortController() })
  }

  return { take, hold, during, isTaken: lease.isHeld }
}
