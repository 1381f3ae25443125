import type { EndpointSpec } from '#contract/endpoint.ts'
import type { AppContext } from './context.ts'
import { disconnectSignal } from './disconnect-signal.ts'

/** Runs a part of a heavy read at its user's turn. */
export type TakeTurn = <Result>(task: () => Promise<Result>) => Promise<Result>

export interface HeavyTurns {
  takeTurn: TakeTurn
  /** Aborts when the client leaves, with which its turn ends as well. */
  signal: AbortSignal
}

interface HeavyCall extends HeavyTurns {
  /** Presents the response: at a turn as well where the handler took one for a part of it. */
  present: (task: () => Promise<void>) => Promise<void>
}

/**
 * Admits a call of an endpoint that is `heavy`; its response counts until it was sent. A file is admitted before anything else: once
 * a stream has begun it can no longer be refused. A response in parts of JSON may wait for a job first, and counts from its first turn.
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
