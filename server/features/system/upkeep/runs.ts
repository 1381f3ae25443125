import type { Logger } from 'pino'
import { z } from 'zod'
import { AppError } from '#contract/app-error.ts'
import { UpkeepRun } from '#contract/entities/upkeep.ts'
import type { Clock } from '#data/clock.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { newId } from '#data/ids.ts'
import { createSystemFactRepository } from '#data/system/system-facts.ts'
import type { CommandProgress } from './command.ts'
import { createTurn, leaseMs } from './turn.ts'

interface RunsDeps {
  connection: DatabaseConnection
  clock: Clock
  log: Pick<Logger, 'debug' | 'warn'>
}

interface RunContext {
  signal: AbortSignal
  onProgress: (progress: CommandProgress) => void
}
type Work = (context: RunContext) => Promise<void>

const StoredRun = UpkeepRun.extend({
  /** In milliseconds since 1970: if this is not extended in time, the server has died. */
  alive_until: z.number(),
})
type StoredRun = z.infer<typeof StoredRun>

/** Stores the id of the run that a person cancelled last. */
const cancelFact = 'upkeep_cancelled'

class CancelledError extends Error {
  override name = 'CancelledError'
}

/**
 * Runs commands for super admins, one at a time across all servers of a database. The progress is stored in the database, so that each
 * server can show and cancel the run.
 */
export function createRuns({ connection, clock, log }: RunsDeps) {
  const facts = createSystemFactRepository(connection)
  const closing = new AbortController()
  const turn = createTurn({ connection, log, closing: closing.signal })
  let current: { id: string; abort: AbortController; ended: Promise<void> } | undefined

  async function store(run: StoredRun): Promise<void> {
    await facts.set(factOf(run.kind), JSON.stringify(run))
  }

  /** Starts the work and returns immediately. Throws `conflict` if another command is under way. */
  async function start(subject: Pick<UpkeepRun, 'kind' | 'subject'>, work: Work): Promise<UpkeepRun> {
    const run: StoredRun = {
      id: newId(),
      ...subject,
      started_at: new Date(clock.now()).toISOString(),
      stage: null,
      done: null,
      total: null,
      ended_at: null,
      outcome: null,
      problem: null,
      alive_until: Date.now() + leaseMs,
    }
    await turn.take(run.id)
    await store(run)
    const abort = new AbortController()
    const ended = follow(run, { abort, work }).finally(() => (current = undefined))
    current = { id: run.id, abort, ended }
    return { ...run }
  }

  async function follow(run: StoredRun, { abort, work }: { abort: AbortController; work: Work }): Promise<void> {
    let stored = Promise.resolve()
    // One after another, so that no write replaces a later state with an earlier one.
    const storeNext = () => {
      stored = stored.catch(() => undefined).then(() => store(run))
      return stored
    }
    await turn.hold(run.id, {
      abort,
      async onTick() {
        run.alive_until = Date.now() + leaseMs
        await storeNext()
        if ((await facts.find(cancelFact)) === run.id) abort.abort(new CancelledError())
      },
      async work(signal) {
        const end = await complete(work, { signal, onProgress: (progress) => Object.assign(run, progress) })
        Object.assign(run, end, { ended_at: new Date(clock.now()).toISOString() })
        await storeNext().catch((err: unknown) => log.warn({ err }, 'the end of a run could not be stored'))
      },
    })
  }

  async function complete(work: Work, context: RunContext): Promise<Pick<UpkeepRun, 'outcome' | 'problem'>> {
    try {
      await work(context)
      return { outcome: 'done', problem: null }
    } catch (err) {
      if (context.signal.reason instanceof CancelledError) return { outcome: 'cancelled', problem: null }
      if (closing.signal.aborted) return { outcome: 'interrupted', problem: null }
      log.warn({ err }, 'a command that a super admin started failed')
      return { outcome: 'failed', problem: err instanceof Error ? err.message : String(err) }
    }
  }

  /** Returns the last or current run of a kind; null if there has been none. */
  async function find(kind: UpkeepRun['kind']): Promise<UpkeepRun | null> {
    const text = await facts.find(factOf(kind))
    const run = text === null ? undefined : StoredRun.safeParse(JSON.parse(text)).data
    if (!run) return null
    if (run.ended_at !== null || run.alive_until > Date.now()) return run
    return { ...run, outcome: 'interrupted', ended_at: new Date(run.alive_until).toISOString() }
  }

  async function findById(id: string): Promise<UpkeepRun> {
    for (const kind of UpkeepRun.shape.kind.options) {
      const run = await find(kind)
      if (run?.id === id) return run
    }
    throw new AppError('not_found', 'There is no such run.')
  }

  /** Cancels a run; one on another server ends within seconds. Throws `not_found` unless the id is that of the last run of its kind. */
  async function cancel(id: string): Promise<UpkeepRun> {
    const run = await findById(id)
    if (run.ended_at !== null) return run
    if (current?.id !== id) {
      await facts.set(cancelFact, id)
      return run
    }
    current.abort.abort(new CancelledError())
    await current.ended
    return findById(id)
  }

  /** Cancels what this server is running. */
  async function close(): Promise<void> {
    closing.abort(new Error('The server stops.'))
    await current?.ended
  }

  return { start, find, cancel, close, duringTurn: turn.during, isBusy: turn.isTaken }
}

export type Runs = ReturnType<typeof createRuns>

function factOf(kind: UpkeepRun['kind']): string {
  return `upkeep_${kind}_run`
}
