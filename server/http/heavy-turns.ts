import type { EndpointSpec } from '#contract/endpoint.ts'
import type { AppContext } from './context.ts'
import { disconnectSignal } from './disconnect-signal.ts'

/** Runs a part of a heavy read at its user's turn. */
export type TakeTurn = <Result>(task: () => Promise<Result>) => Promise<Result>

export interface HeavyTurns {
  takeTurn: TakeTurn
  /** Aborts when the client disconnects, which also ends its turn. */
  signal: AbortSignal
}

interface HeavyCall extends HeavyTurns {
  /** Presents the response, also in a turn if the handler took one for a part of it. */
  present: (task: () => Promise<void>) => Promise<void>
}

/**
 * Admits a call of a `heavy` endpoint, which counts until its response has been sent. A file is admitted before anything else, because a
 * stream that has begun can no longer be refused. A JSON response in parts may wait for a job first, and counts from its first turn.
 */
export function beginHeavyRead(ctx: AppContext, spec: EndpointSpec, userId: string): HeavyCall {
  const signal = disconnectSignal(ctx)
  const isFile = spec.transport === 'file'
  const isInParts = spec.heavy === 'parts'

  function admit(): TakeTurn {
    const lane = isFile ? 'file' : 'page'
    const read = ctx.state.guards.admitHeavyRead({ userId, lane, signal, isPatient: isFile && isInParts })
    if (signal.aborted) read.release()
    else signal.addEventListener('abort', () => read.release(), { once: true })
    return read.takeTurn
  }

  if (isFile || !isInParts) return { takeTurn: admit(), signal, present: (task) => task() }
  let takeTurn: TakeTurn | undefined
  return {
    signal,
    takeTurn(task) {
      takeTurn ??= admit()
      return takeTurn(task)
    },
    present: (task) => (takeTurn ? takeTurn(task) : task()),
  }
}
