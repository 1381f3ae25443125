import { createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { AppError } from '#contract/app-error.ts'
import { passwordText, readStoredHash, toStoredHash } from './password-text.ts'

export type HashTask = { kind: 'hash'; text: string; cost: number } | { kind: 'compare'; text: string; hash: string }

interface HasherOptions {
  /** bcrypt cost: each step doubles the work. */
  cost: number
  pepper: Buffer
  /** Default: one less than the processors, so that the server's own thread keeps one; at least 1, at most 4. */
  threads?: number
  /** Tasks that may wait beyond the running ones; more are refused. Default 200. */
  queueLimit?: number
}

export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** With `undefined` it does the same work on a hash that nothing matches and answers false: unknown accounts take as long. */
  verify(password: string, hash: string | undefined): Promise<boolean>
  /** Whether a hash was made with less work than is asked for now, or of NFKC (password-text.ts). */
  isOutdated(hash: string): boolean
  /** Operations begun so far, for tests of equal work. */
  operations(): number
  close(): Promise<void>
}

interface Pending {
  task: HashTask
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

/**
 * bcrypt over HMAC-SHA-384 with a pepper, in worker threads behind a bounded queue. The HMAC makes 64 base64 characters of any
 * password: bcrypt silently ignores what follows byte 72 (OWASP Password Storage Cheat Sheet, "Peppering").
 */
export function createPasswordHasher({ cost, pepper, threads, queueLimit = 200 }: HasherOptions): PasswordHasher {
  const size = threads ?? Math.min(4, Math.max(1, availableParallelism() - 1))
  const waiting: Pending[] = []
  const idle: Worker[] = []
  const workers = new Map<Worker, Pending | undefined>()
  const impossibleHash = `$2b$${String(cost).padStart(2, '0')}$${randomBytes(40).toString('hex').slice(0, 53)}`
  let begun = 0
  let isClosed = false

  function prepare(text: string): string {
    return createHmac('sha384', pepper).update(text).digest('base64')
  }

  function run(task: HashTask): Promise<unknown> {
    if (isClosed || waiting.length >= queueLimit) {
      throw new AppError('unavailable', 'The server is busy. Please try again in a few seconds.', {
        remainingSeconds: 5,
      })
    }
    begun += 1
    return new Promise((resolve, reject) => {
      waiting.push({ task, resolve, reject })
      dispatch()
    })
  }

  function dispatch(): void {
    const next = waiting[0]
    if (!next) return
    const worker = idle.pop() ?? (workers.size < size ? startWorker() : undefined)
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

  return {
    async hash(password) {
      return toStoredHash(String(await run({ kind: 'hash', text: prepare(passwordText(password)), cost })))
    },
    async verify(password, hash) {
      const { bcryptHash, form } = readStoredHash(hash ?? impossibleHash)
      const text = prepare(passwordText(password, form))
      const isEqual = await run({ kind: 'compare', text, hash: bcryptHash })
      return hash !== undefined && isEqual === true
    },
    isOutdated(hash) {
      const { bcryptHash, form } = readStoredHash(hash)
      return form !== 'NFC' || Number(/^\$2[aby]\$(\d\d)\$/.exec(bcryptHash)?.[1] ?? 0) < cost
    },
    operations: () => begun,
    async close() {
      isClosed = true
      await Promise.all([...workers.keys()].map((worker) => worker.terminate()))
    },
  }
}
