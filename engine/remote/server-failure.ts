/**
 * What went wrong with a server. `unreachable`: no connection, or one that broke. `timeout`: connected, but silent for too long.
 * `faulty`: an answer that cannot be used. `refused`: this very request would be refused again, by this server.
 */
export type FailureKind = 'unreachable' | 'timeout' | 'faulty' | 'refused'

/** A request that one server failed; another may do it. The message is for a log and for people, and holds nothing secret. */
export class ServerFailure extends Error {
  override name = 'ServerFailure'
  readonly kind: FailureKind
  /** How long the server asks to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(kind: FailureKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}
