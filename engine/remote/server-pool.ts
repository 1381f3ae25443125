import { AppError } from '#contract/app-error.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { cancellationError } from '#engine/child/child-process.ts'
import { ServerFailure } from './server-failure.ts'
import { RemoteServer } from './remote-server.ts'

/** Wording of messages by the task of the servers. */
const purposes = {
  speech: { server: 'transcription server', part: 'a part of this recording', setting: 'SPEECH_SERVER_MODEL' },
  translation: { server: 'translation server', part: 'this text', setting: 'TRANSLATION_SERVER_MODEL' },
}

export interface ServerPoolOptions {
  purpose: keyof typeof purposes
  addresses: readonly string[]
  /** Models that requests may name; for the status. */
  models: string[]
  /** Throws ServerFailure where a server is not available. */
  check: (address: string) => Promise<void>
  /** Called for each failure of a server, for logging. */
  onFailure?: (address: string, failure: ServerFailure) => void
  /** A request fails after all servers have failed for this long. Default 5 minutes. */
  giveUpAfterMs?: number
  /** Interval between two checks of an idle server. Default 20 s. */
  checkIntervalMs?: number
}

export interface PoolRequest<Result> {
  /** Returns the amount of work, for the speed: milliseconds of audio, or tokens. */
  amountOf: (result: Result) => number
  /** Sends the request to one server; throws ServerFailure where another one should be tried. */
  send: (address: string) => Promise<Result>
  signal?: AbortSignal
}

/**
 * Distributes requests among servers; each processes one request of this process at a time. A server that fails is backed off for
 * increasing periods, and the request goes to another one. A request fails only when all servers fail for `giveUpAfterMs`, or each refuses
 * it.
 */
export class ServerPool {
  readonly #options: Required<Pick<ServerPoolOptions, 'giveUpAfterMs' | 'checkIntervalMs'>> & ServerPoolOptions
  readonly #servers: RemoteServer[]
  readonly #checkTimer: NodeJS.Timeout
  #change = Promise.withResolvers<void>()
  #lastSuccessMs = 0

  constructor(options: ServerPoolOptions) {
    const { giveUpAfterMs = 5 * 60_000, checkIntervalMs = 20_000 } = options
    this.#options = { ...options, giveUpAfterMs, checkIntervalMs }
    this.#servers = options.addresses.map((address) => new RemoteServer(address))
    this.#checkTimer = setInterval(() => void this.checkAll(), this.#options.checkIntervalMs).unref()
  }

  get size(): number {
    return this.#servers.length
  }

  describe(): RemoteServerStatus[] {
    return this.#servers.map((server) => ({
      ...server.describe(this.#options.models),
      real_time_factor: null,
      tokens_per_second: null,
      ...this.#describeSpeed(server),
    }))
  }

  #describeSpeed({ completed, msPerUnit }: RemoteServer) {
    if (completed === 0) return {}
    if (this.#options.purpose === 'speech') return { real_time_factor: round(msPerUnit) }
    return { tokens_per_second: round(1000 / Math.max(0.001, msPerUnit)) }
  }

  /** Checks all idle servers. */
  async checkAll(): Promise<void> {
    const idle = this.#servers.filter(({ inFlight }) => inFlight === 0)
    await Promise.all(
      idle.map(async (server) => {
        try {
          await this.#options.check(server.address)
          server.recordReachable()
        } catch (error) {
          server.recordError(toFailure(error))
        }
      }),
    )
  }

  /** @throws AppError `unavailable` when all servers failed for too long, `internal` when each refused, `job_cancelled` on abort */
  async run<Result>(request: PoolRequest<Result>): Promise<Result> {
    const startedMs = performance.now()
    const refused = new Set<RemoteServer>()
    for (;;) {
      const server = await this.#acquire(refused, { startedMs, signal: request.signal })
      try {
        return await this.#send(server, request)
      } catch (error) {
        if (!(error instanceof ServerFailure)) throw error
        if (error.kind === 'refused') refused.add(server)
        if (refused.size === this.#servers.length) throw this.#refusedByAllError()
      } finally {
        server.inFlight -= 1
        this.#notifyWaiting()
      }
    }
  }

  close(): void {
    clearInterval(this.#checkTimer)
  }

  async #send<Result>(server: RemoteServer, { amountOf, send }: PoolRequest<Result>): Promise<Result> {
    try {
      // A request to a hanging server takes the whole timeout; a check beforehand takes seconds.
      if (server.consecutiveFailures > 0) await this.#options.check(server.address)
      const startedMs = performance.now()
      const result = await send(server.address)
      this.#lastSuccessMs = performance.now()
      server.recordSuccess({ elapsedMs: this.#lastSuccessMs - startedMs, amount: amountOf(result) })
      return result
    } catch (error) {
      if (!(error instanceof ServerFailure)) throw error
      server.recordFailure(error)
      this.#options.onFailure?.(server.address, error)
      throw error
    }
  }

  /** Waits for an idle server that is not backed off, and reserves the one with the fewest consecutive failures, then the fastest. */
  async #acquire(
    refused: Set<RemoteServer>,
    { startedMs, signal }: { startedMs: number; signal?: AbortSignal },
  ): Promise<RemoteServer> {
    for (;;) {
      if (signal?.aborted) throw cancellationError(signal)
      const nowMs = performance.now()
      const idle = this.#servers.filter((server) => server.inFlight === 0 && !refused.has(server))
      const [server] = idle
        .filter(({ retryAtMs }) => retryAtMs <= nowMs)
        .toSorted((a, b) => a.consecutiveFailures - b.consecutiveFailures || a.msPerUnit - b.msPerUnit)
      if (server) {
        server.inFlight += 1
        return server
      }
      const isAnyBusy = this.#servers.some(({ inFlight }) => inFlight > 0)
      const failingMs = nowMs - Math.max(startedMs, this.#lastSuccessMs)
      if (!isAnyBusy && failingMs >= this.#options.giveUpAfterMs) throw this.#unavailableError(failingMs)
      const untilRetryMs = Math.min(...idle.map(({ retryAtMs }) => retryAtMs - nowMs))
      const untilGivenUpMs = isAnyBusy ? Number.POSITIVE_INFINITY : this.#options.giveUpAfterMs - failingMs
      await this.#waitForChange(Math.min(untilRetryMs, untilGivenUpMs), signal)
    }
  }

  /** Waits until a server becomes idle, at most `maxMs`. */
  async #waitForChange(maxMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.max(1, Math.min(maxMs, 60_000)))
    const onAbort = () => resolve()
    signal?.addEventListener('abort', onAbort)
    await Promise.race([this.#change.promise, promise])
    signal?.removeEventListener('abort', onAbort)
    clearTimeout(timer)
  }

  #notifyWaiting(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers<void>()
  }

  #refusedByAllError(): AppError {
    const { server, part, setting } = purposes[this.#options.purpose]
    return new AppError('internal', `No ${server} accepts ${part} (${this.#lastMessages()}).`, {
      help: `Ask your administrator to check the ${server}s and ${setting}.`,
    })
  }

  #unavailableError(failingMs: number): AppError {
    const time =
      failingMs < 90_000 ? `${Math.round(failingMs / 1000)} seconds` : `${Math.round(failingMs / 60_000)} minutes`
    const { server } = purposes[this.#options.purpose]
    const message = `No ${server} could be used for ${time} (${this.#lastMessages()}).`
    return new AppError('unavailable', message, { help: `Try again when the ${server}s are available.` })
  }

  #lastMessages(): string {
    return this.#servers.map(({ address, lastMessage }) => `${address}: ${lastMessage}`).join('; ')
  }
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}

function toFailure(error: unknown): ServerFailure {
  if (error instanceof ServerFailure) return error
  return new ServerFailure('faulty', error instanceof Error ? error.message : String(error))
}
