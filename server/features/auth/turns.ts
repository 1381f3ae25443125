import { isIPv6 } from 'node:net'
import { AppError } from '#contract/app-error.ts'
import { createFairQueue, type FairQueueLimits, type Refusal, type Requester } from './fair-queue.ts'

export interface TurnLimits extends FairQueueLimits {
  /** How many turns run at once. */
  concurrent: number
  /**
   * How many more may run for addresses that have nothing else waiting or running: with few turns at once, even the next in line
   * would wait for a whole turn of a flood. Default 0.
   */
  express?: number
  /** Who waited so long is refused: nobody waits for an answer any more. Default 20 s. */
  maxWaitMs?: number
}

interface Waiting {
  begin: () => void
  refuse: (error: AppError) => void
}

/** What a refused caller is told to wait. */
const retrySeconds = 5

export interface Turns {
  /**
   * Runs work when its requester's turn comes.
   * @throws AppError `rate_limited` when the requester has too much waiting, `unavailable` when everybody together has
   */
  take<Result>(requester: Requester, work: () => Promise<Result>): Promise<Result>
}

/** Lets costly work run a few at a time, in an order that is fair between addresses and accounts (fair-queue.ts). */
export function createTurns({ concurrent, express = 0, maxWaitMs = 20_000, ...limits }: TurnLimits): Turns {
  const queue = createFairQueue<Waiting>(limits)
  /** Turns that run, by address. */
  const running = new Map<string, number>()
  let count = 0

  function dispatch(): void {
    while (count < concurrent + express) {
      const next = count < concurrent ? queue.shift() : queue.shiftLone((address) => !running.has(address))
      if (!next) return
      count += 1
      running.set(next.address, (running.get(next.address) ?? 0) + 1)
      next.item.begin()
    }
  }

  function end(address: string): void {
    count -= 1
    const left = (running.get(address) ?? 1) - 1
    if (left > 0) running.set(address, left)
    else running.delete(address)
    dispatch()
  }

  async function take<Result>({ address, account }: Requester, work: () => Promise<Result>): Promise<Result> {
    const network = networkOf(address)
    await waitForTurn({ address: network, account })
    try {
      return await work()
    } finally {
      end(network)
    }
  }

  async function waitForTurn(requester: Requester): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    try {
      await new Promise<void>((begin, refuse) => {
        const waiting = { begin, refuse }
        timer = setTimeout(() => {
          queue.remove(waiting, requester)
          refuse(toError('full'))
        }, maxWaitMs)
        const refusal = queue.push(waiting, requester)
        if (refusal) refusal.item.refuse(toError(refusal.reason))
        dispatch()
      })
    } finally {
      clearTimeout(timer)
    }
  }

  return { take }
}

function toError(reason: Refusal<Waiting>['reason']): AppError {
  const remainingSeconds = retrySeconds
  if (reason === 'full') {
    return new AppError('unavailable', 'The server is busy. Please try again in a few seconds.', { remainingSeconds })
  }
  return new AppError('rate_limited', 'Too many requests. Please wait before trying again.', { remainingSeconds })
}

/** One IPv6 customer has a network of 2^64 addresses, so those count as one (RFC 6177). */
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
