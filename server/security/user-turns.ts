import { createFairLimiter } from './fair-limiter.ts'
import { byUser } from './fair-queue.ts'

/** Runs a task at a user's turn. Aborting the signal removes the task from the queue and rejects with its reason. */
export type TakeUserTurn = <Result>(
  userId: string,
  task: () => Promise<Result>,
  signal?: AbortSignal,
) => Promise<Result>

/**
 * Runs at most `concurrency` tasks at a time, and at most `concurrencyPerUser` per user. Users take turns regardless of how many tasks each
 * has waiting, and nothing is refused: for callers that are already limited.
 */
export function createUserTurns({
  concurrency,
  concurrencyPerUser,
}: {
  concurrency: number
  concurrencyPerUser: number
}): TakeUserTurn {
  const limiter = createFairLimiter({
    concurrency,
    concurrencyPerAddress: concurrencyPerUser,
    maxWaiting: Infinity,
    maxPerAddress: Infinity,
    waitTimeoutMs: Infinity,
  })
  return (userId, task, signal) => limiter.run(byUser(userId), task, { signal })
}
