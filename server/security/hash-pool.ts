import { Worker } from 'node:worker_threads'
import { AppError } from '#contract/app-error.ts'

/** What a thread computes: a bcrypt hash, a bcrypt comparison, or scrypt hashes (base64) of several texts with one salt. */
export type HashTask =
  | { kind: 'hash'; text: string; cost: number }
  | { kind: 'compare'; text: string; hash: string }
  | { kind: 'scrypt'; texts: string[]; salt: string; effort: number }

interface Pending {
  task: HashTask
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

export interface HashPool {
  run(task: HashTask): Promise<unknown>
  close(): Promise<void>
}

/**
 * Threads for slow hashes, each started when first needed: they compute for hundreds of milliseconds and must hold up neither the
 * server's own thread nor libuv's, which serve files. Tasks beyond the threads wait in the order they came; callers keep them few.
 */
export function createHashPool({ threads }: { threads: number }): HashPool {
  const waiting: Pending[] = []
  const idle: Worker[] = []
  const workers = new Map<Worker, Pending | undefined>()
  let isClosed = false

  function run(task: HashTask): Promise<unknown> {
    if (isClosed) throw new AppError('unavailable', 'The server is busy. Please try again in a few seconds.')
    return new Promise((resolve, reject) => {
      waiting.push({ task, resolve, reject })
      dispatch()
    })
  }

  function dispatch(): void {
    const next = waiting[0]
    if (!next) return
    const worker = idle.pop() ?? (workers.size < threads ? startWorker() : undefined)
    if (!worker) return
    waiting.shift()
    workers.set(worker, next)
    worker.ref()
    worker.postMessage(next.task)
  }

  function startWorker(): Worker {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url))
    workers.set(worker, undefined)
    worker.on('message', (answer: { result?: unknown; failure?: string }) => {
      const done = workers.get(worker)
      workers.set(worker, undefined)
      idle.push(worker)
      worker.unref()
      if (answer.failure === undefined) done?.resolve(answer.result)
      else done?.reject(new Error(answer.failure))
      dispatch()
    })
    worker.on('error', (error: Error) => drop(worker, error))
    worker.on('exit', () => drop(worker, new Error('The password hashing thread ended')))
    return worker
  }

  function drop(worker: Worker, error: Error): void {
    if (!workers.has(worker)) return
    workers.get(worker)?.reject(error)
    workers.delete(worker)
    const place = idle.indexOf(worker)
    if (place >= 0) idle.splice(place, 1)
    if (!isClosed) dispatch()
  }

  async function close(): Promise<void> {
    isClosed = true
    await Promise.all([...workers.keys()].map((worker) => worker.terminate()))
  }

  return { run, close }
}
