import { setTimeout as wait } from 'node:timers/promises'
import { isDatabaseUnavailable } from './database-errors.ts'

const retryDelayMs = 500

/**
 * Runs `work`, and retries it while the database is unreachable. Earlier attempts may have taken effect, so doing `work` twice must have
 * the same result. Throws other errors, and the last one when `signal` aborts.
 */
export async function retryWhileUnavailable<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted || !isDatabaseUnavailable(error)) throw error
      await wait(retryDelayMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) throw error
    }
  }
}
