import { isIPv6 } from 'node:net'
import { AppError } from '#contract/app-error.ts'
import { createFairQueue, type FairQueueLimits, type Refusal, type Requester } from './fair-queue.ts'

export interface FairLimits extends FairQueueLimits {
  /** How many tasks run at once. */
  concurrency: number
  /**
   * How many more may run for addresses that have nothing else waiting or running: with a low concurrency, even the next in line
   * would wait for a whole task of a flood. Default 0.
   */
  expressConcurrency?: number
  /** A task that waited this long is rejected: its client has given up. Default 20 s. */
  waitTimeoutMs?: number
}

interface Waiting {
  begin: () => void
  reject: (error: AppError) => void
}

/** What a rejected client is told in Retry-After. */
const retrySeconds = 5

export interface FairLimiter {
  /**
   * Runs a task when its requester's turn comes. Throws `rate_limited` when the requester has too many tasks waiting, `unavailable`
   * when all requesters together have.
   */
  run<Result>(requester: Requester, task: () => Promise<Result>): Promise<Result>
}

/** Limits how many costly tasks run at once, in an order that is fair between addresses and accounts (fair-queue.ts). */
export function createFairLimiter(options: FairLimits): FairLimiter {
  const { concurrency, expressConcurrency = 0, waitTimeoutMs = 20_000, ...limits } = options
  const queue = createFairQueue<Waiting>(limits)
  /** Running tasks by address. */
  const running = new Map<string, number>()
  let count = 0

  function dispatch(): void {
    while (count < concurrency + expressConcurrency) {
      const next = count < concurrency ? queue.shift() : queue.shiftLone((address) => !running.has(address))
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
    dispatch()
  }

  async function run<Result>({ address, account }: Requester, task: () => Promise<Result>): Promise<Result> {
    const network = networkOf(address)
    await waitForTurn({ address: network, account })
    try {
      return await task()
    } finally {
      finish(network)
    }
  }

  async function waitForTurn(requester: Requester): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise<void>((begin, reject) => {
        const waiting = { begin, reject }
        timer = setTimeout(() => {
          queue.remove(waiting, requester)
          reject(toError('full'))
        }, waitTimeoutMs)
        const refusal = queue.push(waiting, requester)
        if (refusal) refusal.item.reject(toError(refusal.reason))
        dispatch()
      })
    } finally {
      clearTimeout(timer)
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

/** Returns the /64 network of an IPv6 address, which one customer has for itself (RFC 6177); other addresses unchanged. */
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
