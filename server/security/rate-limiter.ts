import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { RateRepository } from '#data/system/rates.ts'

interface Limit {
  /** Identifies the counter together with `key`. */
  name: string
  /** What is counted: an address, an account, a user, a session. */
  key: string
  limit: number
  windowMs: number
  /** The error message. */
  message?: string
}

export interface RateLimiter {
  /** Counts in the database, shared by all servers; in this process while the database is unavailable. Throws `rate_limited`. */
  count(limit: Limit): Promise<void>
  /** Counts only in this process: for limits so high that a write per call would cost more than they protect. */
  countLocally(limit: Limit): void
}

const defaultMessage = 'Too many requests. Please wait before trying again.'
const maxLocalCounters = 50_000

/** Limits calls in fixed windows, which begin at multiples of their length. */
export function createRateLimiter(deps: { rates: RateRepository; clock: Clock; log: Logger }): RateLimiter {
  const local = new Map<string, { count: number; endsAt: number }>()

  function assertWithin(count: number, { limit, message }: Limit, endsAt: number): void {
    if (count <= limit) return
    const remainingSeconds = Math.max(1, Math.ceil((endsAt - deps.clock.now()) / 1000))
    throw new AppError('rate_limited', message ?? defaultMessage, { remainingSeconds })
  }

  function windowOf({ windowMs }: Limit): { index: number; endsAt: number } {
    const index = Math.floor(deps.clock.now() / windowMs)
    return { index, endsAt: (index + 1) * windowMs }
  }

  function countLocally(limit: Limit): void {
    const { index, endsAt } = windowOf(limit)
    const id = `${limit.name}:${index}:${limit.key}`
    if (local.size > maxLocalCounters) removeEnded()
    const counter = local.get(id) ?? { count: 0, endsAt }
    counter.count += 1
    local.set(id, counter)
    assertWithin(counter.count, limit, endsAt)
  }

  function removeEnded(): void {
    const now = deps.clock.now()
    for (const [id, { endsAt }] of local) if (endsAt <= now) local.delete(id)
    if (local.size > maxLocalCounters) local.clear()
  }

  async function count(limit: Limit): Promise<void> {
    const { index, endsAt } = windowOf(limit)
    const key = createHash('sha256').update(limit.key).digest('base64url').slice(0, 22)
    let counted: number
    try {
      counted = await deps.rates.increment(`${limit.name}:${index}:${key}`, new Date(endsAt))
    } catch (error) {
      deps.log.warn({ err: error, name: limit.name }, 'rate limit counted in memory: the database did not answer')
      return countLocally(limit)
    }
    assertWithin(counted, limit, endsAt)
  }

  return { count, countLocally }
}
