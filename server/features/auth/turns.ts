import { isIPv6 } from 'node:net'
import { AppError } from '#contract/app-error.ts'
import { createFairQueue, type FairQueueLimits, type Refusal, type Requester } from './fair-queue.ts'

export interface TurnLimits extends FairQueueLimits {
  /** How many turns run at once. */
  concurrent: number
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
export function createTurns({ concurrent, maxWaitMs = 20_000, ...limits }: TurnLimits): Turns {
  const queue = createFairQueue<Waiting>(limits)
  let running = 0

  function dispatch(): void {
    while (running < concurrent) {
      const next = queue.shift()
      if (!next) return
      running += 1
      next.begin()
    }
  }

  async function take<Result>({ address, account }: Requester, work: () => Promise<Result>): Promise<Result> {
    await waitForTurn({ address: networkOf(address), account })
    try {
      return await work()
    } finally {
      running -= 1
      dispatch()
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
