import { AppError } from '#contract/app-error.ts'
import type { RemoteServerStatus } from '#contract/entities/speech-server.ts'
import { cancelled } from '#engine/child/child-process.ts'
import { ServerFailure } from './server-failure.ts'
import { RemoteServer } from './remote-server.ts'

/** What the servers of a pool do, in words for people and as the unit of their speed. */
const purposes = {
  speech: { server: 'transcription server', part: 'a part of this recording', setting: 'SPEECH_SERVER_MODEL' },
  translation: { server: 'translation server', part: 'this text', setting: 'TRANSLATION_SERVER_MODEL' },
}

export interface ServerPoolOptions {
  purpose: keyof typeof purposes
  addresses: readonly string[]
  /** What requests may name; for the status. */
  models: string[]
  /** Asks a server whether it is there; throws ServerFailure. */
  check: (address: string) => Promise<void>
  /** Called for each failure of a server, for the log. */
  onFailure?: (address: string, failure: ServerFailure) => void
  /** How long all servers may fail a request before it fails. Default 5 minutes. */
  giveUpMs?: number
  /** Time between two checks of a server that has nothing to do. Default 20 s. */
  checkEveryMs?: number
}

export interface PoolRequest<Result> {
  /** How much work it was, for the speed: milliseconds of sound, or tokens. */
  amountOf: (result: Result) => number
  /** Asks one server; throws ServerFailure where another one should be asked. */
  send: (address: string) => Promise<Result>
  signal?: AbortSignal
}

/**
 * Shares requests among servers: each has one request of this process at a time. A server that fails is left out for a growing time, and
 * the request goes to another; it is done by exactly one of them. Only when all fail for `giveUpMs`, or each refuses the request, does
 * it fail.
 */
export class ServerPool {
  readonly #options: Required<Pick<ServerPoolOptions, 'giveUpMs' | 'checkEveryMs'>> & ServerPoolOptions
  readonly #servers: RemoteServer[]
  readonly #checking: NodeJS.Timeout
  #change = Promise.withResolvers<void>()
  #lastSuccessMs = 0

  constructor(options: ServerPoolOptions) {
    const { giveUpMs = 5 * 60_000, checkEveryMs = 20_000 } = options
    this.#options = { ...options, giveUpMs, checkEveryMs }
    this.#servers = options.addresses.map((address) => new RemoteServer(address))
    this.#checking = setInterval(() => void this.checkAll(), this.#options.checkEveryMs).unref()
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

  /** Asks all servers that have nothing to do whether they are there. */
  async checkAll(): Promise<void> {
    const idle = this.#servers.filter(({ inFlight }) => inFlight === 0)
    await Promise.all(
      idle.map(async (server) => {
        try {
          await this.#options.check(server.address)
          server.recordCheck()
        } catch (error) {
          server.recordError(toFailure(error))
        }
      }),
    )
  }

  /** @throws AppError `unavailable` where all servers failed for long, `internal` where each refused, `job_cancelled` on abort */
  async run<Result>(request: PoolRequest<Result>): Promise<Result> {
    const startedMs = performance.now()
    const refused = new Set<RemoteServer>()
    for (;;) {
      const server = await this.#takeFree(refused, { startedMs, signal: request.signal })
      try {
        return await this.#use(server, request)
      } catch (error) {
        if (!(error instanceof ServerFailure)) throw error
        if (error.kind === 'refused') refused.add(server)
        if (refused.size === this.#servers.length) throw this.#refusedByAll()
      } finally {
        server.inFlight -= 1
        this.#wakeWaiting()
      }
    }
  }

  close(): void {
    clearInterval(this.#checking)
  }

  async #use<Result>(server: RemoteServer, { amountOf, send }: PoolRequest<Result>): Promise<Result> {
    try {
      // A request to a server that hangs costs the whole time-out; a look at it beforehand costs seconds.
      if (server.failuresInARow > 0) await this.#options.check(server.address)
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

  /** Waits for a server that has nothing to do and is not left out, and takes the fastest. */
  async #takeFree(
    refused: Set<RemoteServer>,
    { startedMs, signal }: { startedMs: number; signal?: AbortSignal },
  ): Promise<RemoteServer> {
    for (;;) {
      if (signal?.aborted) throw cancelled(signal)
      const nowMs = performance.now()
      const open = this.#servers.filter((server) => server.inFlight === 0 && !refused.has(server))
      const [server] = open
        .filter(({ retryAtMs }) => retryAtMs <= nowMs)
        .toSorted((a, b) => a.failuresInARow - b.failuresInARow || a.msPerUnit - b.msPerUnit)
      if (server) {
        server.inFlight += 1
        return server
      }
      const isAnyAtWork = this.#servers.some(({ inFlight }) => inFlight > 0)
      const triedMs = nowMs - Math.max(startedMs, this.#lastSuccessMs)
      if (!isAnyAtWork && triedMs >= this.#options.giveUpMs) throw this.#failedForLong(triedMs)
      const untilRetryMs = Math.min(...open.map(({ retryAtMs }) => retryAtMs - nowMs))
      const untilGivenUpMs = isAnyAtWork ? Number.POSITIVE_INFINITY : this.#options.giveUpMs - triedMs
      await this.#waitForChange(Math.min(untilRetryMs, untilGivenUpMs), signal)
    }
  }

  /** Waits until a server becomes free, at most `maxMs`. */
  async #waitForChange(maxMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, Math.max(1, Math.min(maxMs, 60_000)))
    const onAbort = () => resolve()
    signal?.addEventListener('abort', onAbort)
    await Promise.race([this.#change.promise, promise])
    signal?.removeEventListener('abort', onAbort)
    clearTimeout(timer)
  }

  #wakeWaiting(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers<void>()
  }

  #refusedByAll(): AppError {
    const { server, part, setting } = purposes[this.#options.purpose]
    return new AppError('internal', `No ${server} takes ${part} (${this.#lastMessages()}).`, {
      help: `Ask your administrator to look at the ${server}s and at ${setting}.`,
    })
  }

  #failedForLong(triedMs: number): AppError {
    const time = triedMs < 90_000 ? `${Math.round(triedMs / 1000)} seconds` : `${Math.round(triedMs / 60_000)} minutes`
    const { server } = purposes[this.#options.purpose]
    const message = `No ${server} could be used for ${time} (${this.#lastMessages()}).`
    return new AppError('unavailable', message, { help: `Try again when the ${server}s are back.` })
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
