import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import type { ServerFailure } from './server-failure.ts'

const firstDelayMs = 1000
const maxDelayMs = 60_000
/** What a server may ask for by Retry-After. */
const maxRetryAfterMs = 10 * 60_000
/** The speed is that of so many requests. */
const maxSamples = 20

/** How long a request took, and for how much: milliseconds of sound, or tokens. */
export interface SpeedSample {
  elapsedMs: number
  amount: number
}

/** What is known of one address: whether it is at work, how fast it is, and until when it is left out. */
export class RemoteServer {
  readonly address: string
  inFlight = 0
  /** By performance.now(), which no set clock moves; 0 for a server in use. */
  retryAtMs = 0
  failuresInARow = 0
  completed = 0
  #isReachable: boolean | null = null
  #failed = 0
  #samples: SpeedSample[] = []
  #lastError: RemoteServerStatus['last_error'] = null

  constructor(address: string) {
    this.address = address
  }

  get lastMessage(): string {
    return this.#lastError?.message ?? 'not tried'
  }

  /** Mean wait for a unit of work, in milliseconds; 0 before the first request. */
  get msPerUnit(): number {
    const perUnit = this.#samples.map(({ elapsedMs, amount }) => elapsedMs / Math.max(1, amount))
    return perUnit.reduce((sum, ms) => sum + ms, 0) / Math.max(1, perUnit.length)
  }

  recordSuccess(sample: SpeedSample): void {
    this.#isReachable = true
    this.failuresInARow = 0
    this.retryAtMs = 0
    this.completed += 1
    this.#samples = [...this.#samples, sample].slice(-maxSamples)
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

  /** A check that succeeded says that the server is there, not that it can work: a server left out stays so. */
  recordCheck(): void {
    this.#isReachable = true
  }

  /** Keeps what went wrong. A server in use that is silent may be at work for another engine, and does not count as away. */
  recordError({ kind, message }: ServerFailure): void {
    const isBusy = kind === 'timeout' && this.#isReachable && this.failuresInARow === 0
    if (!isBusy) this.#isReachable = kind === 'faulty' || kind === 'refused'
    this.#lastError = { message, at: new Date().toISOString() }
  }

  /** Everything but the speed, whose unit the pool knows. */
  describe(models: string[]): Omit<RemoteServerStatus, 'real_time_factor' | 'tokens_per_second'> {
    const leftOutMs = this.retryAtMs - performance.now()
    return {
      address: this.address,
      models,
      is_reachable: this.#isReachable,
      in_flight: this.inFlight,
      completed: this.completed,
      failed: this.#failed,
      last_error: this.#lastError,
      retry_at: leftOutMs > 0 ? new Date(Date.now() + leftOutMs).toISOString() : null,
    }
  }
}
