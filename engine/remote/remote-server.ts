import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import type { ServerFailure } from './server-failure.ts'

const firstDelayMs = 1000
const maxDelayMs = 60_000
/** The longest Retry-After that is honored. */
const maxRetryAfterMs = 10 * 60_000
/** The speed is the mean over this many requests. */
const maxSamples = 20

/** Duration of a request and the amount of work: milliseconds of audio, or tokens. */
export interface SpeedSample {
  elapsedMs: number
  amount: number
}

/** The state of one server: whether it is busy, how fast it is, and until when it is backed off. */
export class RemoteServer {
  readonly address: string
  inFlight = 0
  /** On the clock of performance.now(), which is monotonic; 0 for a server in use. */
  retryAtMs = 0
  consecutiveFailures = 0
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

  /** Mean time per unit of work; 0 before the first request. */
  get msPerUnit(): number {
    const perUnit = this.#samples.map(({ elapsedMs, amount }) => elapsedMs / Math.max(1, amount))
    return perUnit.reduce((sum, ms) => sum + ms, 0) / Math.max(1, perUnit.length)
  }

  recordSuccess(sample: SpeedSample): void {
    this.#isReachable = true
    this.consecutiveFailures = 0
    this.retryAtMs = 0
    this.completed += 1
    this.#samples = [...this.#samples, sample].slice(-maxSamples)
  }

  /** Backs the server off, exponentially with each consecutive failure and with jitter, so that engines do not return at the same time. */
  recordFailure(failure: ServerFailure): void {
    this.#failed += 1
    if (failure.kind === 'refused') return this.recordError(failure)
    const backoffMs = Math.min(maxDelayMs, firstDelayMs * 2 ** this.consecutiveFailures) * (0.75 + Math.random() / 2)
    const retryAfterMs = Math.min(maxRetryAfterMs, failure.retryAfterMs ?? 0)
    this.consecutiveFailures += 1
    this.retryAtMs = performance.now() + Math.max(backoffMs, retryAfterMs)
    this.recordError(failure)
  }

  /** Records that the server is reachable. That does not mean that it works, so a backed-off server stays backed off. */
  recordReachable(): void {
    this.#isReachable = true
  }

  /** Records an error. A server in use that times out may be busy with another engine, and does not count as unreachable. */
  recordError({ kind, message }: ServerFailure): void {
    const isBusy = kind === 'timeout' && this.#isReachable && this.consecutiveFailures === 0
    if (!isBusy) this.#isReachable = kind === 'faulty' || kind === 'refused'
    this.#lastError = { message, at: new Date().toISOString() }
  }

  /** Returns the status without the speed, whose unit only the pool knows. */
  describe(models: string[]): Omit<RemoteServerStatus, 'real_time_factor' | 'tokens_per_second'> {
    const untilRetryMs = this.retryAtMs - performance.now()
    return {
      address: this.address,
      models,
      is_reachable: this.#isReachable,
      in_flight: this.inFlight,
      completed: this.completed,
      failed: this.#failed,
      last_error: this.#lastError,
      retry_at: untilRetryMs > 0 ? new Date(Date.now() + untilRetryMs).toISOString() : null,
    }
  }
}
