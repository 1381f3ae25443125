import { Piscina } from 'piscina'
import { AppError } from '#contract/app-error.ts'

/** What a thread computes: a bcrypt hash, a bcrypt comparison, or scrypt hashes (base64) of several texts with one salt. */
export type HashTask =
  | { kind: 'hash'; text: string; cost: number }
  | { kind: 'compare'; text: string; hash: string }
  | { kind: 'scrypt'; texts: string[]; salt: string; effort: number }

export interface HashPool {
  run(task: HashTask): Promise<unknown>
  close(): Promise<void>
}

/**
 * Threads for slow hashes, started when first needed and kept: a hash takes hundreds of milliseconds and must block neither the
 * server's own thread nor those of libuv, which serve files. Tasks beyond the threads wait in the order they came, so callers limit
 * how many they start.
 */
export function createHashPool({ threads }: { threads: number }): HashPool {
  const pool = new Piscina<HashTask, unknown>({
    filename: new URL('./hash-worker.ts', import.meta.url).href,
    name: 'compute',
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: Infinity,
  })
  let isClosed = false

  return {
    async run(task) {
      if (isClosed) throw new AppError('unavailable', 'The server is busy. Please try again in a few seconds.')
      return pool.run(task)
    },
    async close() {
      isClosed = true
      await pool.destroy()
    },
  }
}
