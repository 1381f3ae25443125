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

interface HashPoolOptions {
  threads: number
  /** Script of a thread, relative to this file. */
  worker?: string
}

/**
 * Creates threads for slow hashes, started when first needed and kept: a hash takes hundreds of milliseconds and must block neither the
 * server's main thread nor those of libuv, which serve files. Further tasks wait in order of arrival, so callers must limit how many they
 * start.
 */
export function createHashPool({ threads, worker = './hash-worker.ts' }: HashPoolOptions): HashPool {
  let pool = openPool()
  let isClosed = false

  function openPool() {
    const opened = new Piscina<HashTask, unknown>({
      filename: new URL(worker, import.meta.url).href,
      name: 'compute',
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: Infinity,
    })
    // A thread that cannot start, for lack of memory or descriptors, leaves its task waiting forever, so the next task gets a new pool.
    opened.on('error', () => {
      if (pool === opened && !isClosed) pool = openPool()
      void opened.destroy()
    })
    return opened
  }

  return {
    async run(task) {
      if (isClosed) throw busy()
      const used = pool
      try {
        return await used.run(task)
      } catch (error) {
        throw used === pool && !isClosed ? error : busy(error)
      }
    },
    async close() {
      isClosed = true
      await pool.destroy()
    },
  }
}

function busy(cause?: unknown): AppError {
  return new AppError('unavailable', 'The server is busy. Please try again in a few seconds.', { cause })
}
