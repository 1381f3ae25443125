import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { RateRepository } from '#data/system/rates.ts'

interface Limit {
  /** Identifies the counter together with `key`. */
  name: string
  /** Whose calls are counted: an address, an account, a user or a session. */
  key: string
  limit: number
  windowMs: number
  /** The error message. */
  message?: string
}

export interface RateLimiter {
  /** Counts in the database, shared by all servers; in this process while the database is unavailable. Throws `rate_limited`. */
  count(limit: Limit): Promise<void>
  /**
   * Counts in this process, and adds to the shared count of all servers in steps of a tenth of the limit: for limits so high that a write
   * per call would cost more than it protects. Throws `rate_limited`, which with N servers may be up to N - 1 steps late.
   */
  countInSteps(limit: Limit): void
}

const defaultMessage = 'Too many requests. Please wait before trying again.'
const maxLocalCounters = 50_000
/** The maximum number of times that a counter of this process is written per window. */
const stepsPerLimit = 10

interface LocalCounter {
  count: number
  endsAt: number
  /** The part of `count` that was added, or is being added, to the shared count. */
  shared: number
  /** The known count of the other servers. */
  others: number
  isSharing: boolean
}

/** Limits calls in fixed windows, which begin at multiples of their length. */
export function createRateLimiter(deps: { rates: RateRepository; clock: Clock; log: Logger }): RateLimiter {
  const local = new Map<string, LocalCounter>()

  function assertWithin(count: number, { limit, message }: Limit, endsAt: number): void {
    if (count <= limit) return
    const remainingSeconds = Math.max(1, Math.ceil((endsAt - deps.clock.now()) / 1000))
    throw new AppError('rate_limited', message ?? defaultMessage, { remainingSeconds })
  }

  function windowOf({ windowMs }: Limit): { index: number; endsAt: number } {
    const index = Math.floor(deps.clock.now() / windowMs)
    return { index, endsAt: (index + 1) * windowMs }
  }

  function countLocally(limit: Limit): LocalCounter {
    const { index, endsAt } = windowOf(limit)
    const id = `${limit.name}:${index}:${limit.key}`
    if (local.size > maxLocalCounters) removeEnded()
    const counter = local.get(id) ?? { count: 0, endsAt, shared: 0, others: 0, isSharing: false }
    counter.count += 1
    local.set(id, counter)
    return counter
  }

  function countInSteps(limit: Limit): void {
    const counter = countLocally(limit)
    const step = Math.ceil(limit.limit / stepsPerLimit)
    // Refused calls are not shared, so that a flood causes no more writes than other calls.
    const isDue = counter.count - counter.shared >= step && counter.shared <= limit.limit
    if (isDue && !counter.isSharing) void share(limit, counter)
    assertWithin(counter.count + counter.others, limit, counter.endsAt)
  }

  /** Adds the count of this process to the shared count, and reads that of the other servers. */
  async function share(limit: Limit, counter: LocalCounter): Promise<void> {
    const { shared: before, count: added } = counter
    counter.shared = added
    counter.isSharing = true
    try {
      const total = await deps.rates.increment(sharedIdOf(limit), new Date(counter.endsAt), added - before)
      counter.others = total - added
    } catch {
      counter.shared = before // it is added with the next step
    } finally {
      counter.isSharing = false
    }
  }

  /** Returns the name of the counter in the database. */
  function sharedIdOf(limit: Limit): string {
    const key = createHash('sha256').update(limit.key).digest('base64url').slice(0, 22)
    return `${limit.name}:${windowOf(limit).index}:${key}`
  }

  function removeEnded(): void {
    const now = deps.clock.now()
    for (const [id, { endsAt }] of local) if (endsAt <= now) local.delete(id)
    if (local.size > maxLocalCounters) local.clear()
  }

  async function count(limit: Limit): Promise<void> {
    const { endsAt } = windowOf(limit)
    let counted: number
    try {
      counted = await deps.rates.increment(sharedIdOf(limit), new Date(endsAt))
    } catch (error) {
      deps.log.warn({ err: error, name: limit.name }, 'rate limit counted in memory: the database did not answer')
      counted = countLocally(limit).count
    }
    assertWithin(counted, limit, endsAt)
  }

  return { count, countInSteps }
}
