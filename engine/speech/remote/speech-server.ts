import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import type { ServerFailure } from './server-failure.ts'

const firstDelayMs = 1000
const maxDelayMs = 60_000
/** What a server may ask for by Retry-After. */
const maxRetryAfterMs = 10 * 60_000
/** The real-time factor is the mean of so many requests. */
const maxFactors = 20

/** What is known of one address: whether it is at work, how fast it is, and until when it is left out. */
export class SpeechServer {
  readonly address: string
  inFlight = 0
  /** By performance.now(), which no set clock moves; 0 for a server in use. */
  retryAtMs = 0
  failuresInARow = 0
  #isReachable: boolean | null = null
  #completed = 0
  #failed = 0
  #factors: number[] = []
  #lastError: RemoteServerStatus['last_error'] = null

  constructor(address: string) {
    this.address = address
  }

  get lastMessage(): string {
    return this.#lastError?.message ?? 'not tried'
  }

  /** Mean wait for a second of sound, in seconds; 0 before the first request. */
  get realTimeFactor(): number {
    return this.#factors.reduce((sum, factor) => sum + factor, 0) / Math.max(1, this.#factors.length)
  }

  recordSuccess({ elapsedMs, durationMs }: { elapsedMs: number; durationMs: number }): void {
    this.#isReachable = true
    this.failuresInARow = 0
    this.retryAtMs = 0
    this.#completed += 1
    this.#factors = [...this.#factors, elapsedMs / Math.max(1, durationMs)].slice(-maxFactors)
  }

  /** Leaves the server out, for twice as long with each failure in a row and a little more or less, so that engines do not return at once. */
  recordFailure(failure: ServerFailure): void {
    this.#failed += 1
    if (failure.kind === 'refused') return this.recordError(failure)
    const growing = Math.min(maxDelayMs, firstDelayMs * 2 ** this.failuresInARow) * (0.75 + Math.random() / 2)
    const wanted = Math.min(maxRetryAfterMs, failure.retryAfterMs ?? 0)
    this.failuresInARow += 1
    this.retryAtMs = performance.now() + Math.max(growing, wanted)
    this.recordError(failure)
  }

  /** A check that succeeded says that the server is there, not that it can transcribe: a server left out stays so. */
  recordCheck(): void {
    this.#isReachable = true
  }

  /** Keeps what went wrong. A server in use that is silent may be at work for another engine, and does not count as away. */
  recordError({ kind, message }: ServerFailure): void {
    const isBusy = kind === 'timeout' && this.#isReachable && this.failuresInARow === 0
    if (!isBusy) this.#isReachable = kind === 'faulty' || kind === 'refused'
    this.#lastError = { message, at: new Date().toISOString() }
  }

  describe(models: string[]): RemoteServerStatus {
    const leftOutMs = this.retryAtMs - performance.now()
    return {
      address: this.address,
      models,
      is_reachable: this.#isReachable,
      in_flight: this.inFlight,
      completed: this.#completed,
      failed: this.#failed,
      real_time_factor: this.#factors.length > 0 ? Math.round(this.realTimeFactor * 1000) / 1000 : null,
      last_error: this.#lastError,
      retry_at: leftOutMs > 0 ? new Date(Date.now() + leftOutMs).toISOString() : null,
    }
  }
}
