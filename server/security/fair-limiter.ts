import { isIPv6 } from 'node:net'
import { AppError } from '#contract/app-error.ts'
import { createFairQueue, type FairQueueLimits, type Refusal, type Requester } from './fair-queue.ts'

export interface FairLimits extends FairQueueLimits {
  /** The number of tasks that run at once. */
  concurrency: number
  /**
   * The number of additional tasks for addresses that have nothing else waiting or running: with a low concurrency, even the next in
   * line would wait for a whole task of a flood. Default 0.
   */
  expressConcurrency?: number
  /** The number of tasks of one address that run at once. Default: no separate limit. */
  concurrencyPerAddress?: number
  /** A task that has waited this long is rejected, because its client has given up. Default 20 s; Infinity for no limit. */
  waitTimeoutMs?: number
}

interface Waiting {
  begin: () => void
  reject: (error: unknown) => void
}

/** The Retry-After value for a rejected client. */
const retrySeconds = 5

interface WaitOptions {
  /** Aborting it removes the task from the queue and rejects with its reason; a running task must watch the signal itself. */
  signal?: AbortSignal | undefined
  /** Defaults to that of the limiter. */
  waitTimeoutMs?: number | undefined
}

export interface FairLimiter {
  /**
   * Runs a task when its requester's turn comes. Throws `rate_limited` when the requester has too many tasks waiting, and `unavailable`
   * when all requesters together do, or after waiting too long.
   */
  run<Result>(requester: Requester, task: () => Promise<Result>, options?: WaitOptions): Promise<Result>
}

/** Limits how many expensive tasks run at once, in an order that is fair between addresses and accounts (fair-queue.ts). */
export function createFairLimiter(options: FairLimits): FairLimiter {
  const { concurrency, expressConcurrency = 0, concurrencyPerAddress = Infinity } = options
  const { waitTimeoutMs: usualTimeoutMs = 20_000 } = options
  const queue = createFairQueue<Waiting>(options)
  /** The number of running tasks by address. */
  const running = new Map<string, number>()
  let count = 0

  const hasRoom = (address: string) => (running.get(address) ?? 0) < concurrencyPerAddress

  function dispatch(): void {
    while (count < concurrency + expressConcurrency) {
      const next = count < concurrency ? queue.shift(hasRoom) : queue.shiftLone((address) => !running.has(address))
      if (!next) return
      count += 1
      running.set(next.address, (running.get(next.address) ?? 0) + 1)
      next.item.begin()
    }
  }

  function finish(address: string): void {
    count -= 1
    const left = (running.get(address) ?? 1) - 1
    if (left > 0) running.set(address, left)
    else running.delete(address)
    // A task may be long: its requester, who occupied the processor until now, comes after those who waited in the meantime.
    queue.postpone(address)
    dispatch()
  }

  async function run<Result>(
    { address, account }: Requester,
    task: () => Promise<Result>,
    wait: WaitOptions = {},
  ): Promise<Result> {
    const network = networkOf(address)
    await waitForTurn({ address: network, account }, wait)
    try {
      return await task()
    } finally {
      finish(network)
    }
  }

  async function waitForTurn(
    requester: Requester,
    { signal, waitTimeoutMs = usualTimeoutMs }: WaitOptions,
  ): Promise<void> {
    signal?.throwIfAborted()
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { begin, reject }
    function leave(reason: unknown) {
      queue.remove(waiting, requester)
      reject(reason)
    }
    const onAbort = () => leave(signal?.reason)
    const timer = Number.isFinite(waitTimeoutMs) ? setTimeout(() => leave(toError('full')), waitTimeoutMs) : undefined
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const refusal = queue.push(waiting, requester)
      if (refusal) refusal.item.reject(toError(refusal.reason))
      dispatch()
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  return { run }
}

function toError(reason: Refusal<Waiting>['reason']): AppError {
  const remainingSeconds = retrySeconds
  if (reason === 'full') {
    return new AppError('unavailable', 'The server is busy. Please try again in a few seconds.', { remainingSeconds })
  }
  return new AppError('rate_limited', 'Too many requests. Please wait before trying again.', { remainingSeconds })
}

/** Returns the /64 network of an IPv6 address, which belongs to a single customer (RFC 6177); other addresses unchanged. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address
  const [head = '', tail] = address.toLowerCase().split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const groups =
    tail === undefined ? left : [...left, ...Array<string>(8 - left.length - right.length).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`
}
