/**
 * How a server failed. `unreachable`: no connection, or it broke. `timeout`: no complete response in time. `faulty`: an unusable
 * response. `refused`: this server would refuse the same request again.
 */
export type FailureKind = 'unreachable' | 'timeout' | 'faulty' | 'refused'

/** A request failed on one server; another server may succeed. The message is for logs and users and contains no secrets. */
export class ServerFailure extends Error {
  override name = 'ServerFailure'
  readonly kind: FailureKind
  /** The server's Retry-After. */
  readonly retryAfterMs: number | undefined

  constructor(kind: FailureKind, message: string, options: { retryAfterMs?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.kind = kind
    this.retryAfterMs = options.retryAfterMs
  }
}
