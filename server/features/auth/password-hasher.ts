import { createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Requester } from './fair-queue.ts'
import { createHashPool, type HashTask } from './hash-pool.ts'
import { passwordText, readStoredHash, toStoredHash } from './password-text.ts'
import { createTurns } from './turns.ts'

interface HasherOptions {
  /** bcrypt cost: each step doubles the work. */
  cost: number
  pepper: Buffer
  /** Default: one less than the processors, so that the server's own thread keeps one; at least 1, at most 4. */
  threads?: number
}

/** Hashes without a queue: for work that has its turn already. */
export interface DirectHasher {
  hash(password: string): Promise<string>
  /** With `undefined` it does the same work on a hash that nothing matches and answers false: unknown accounts take as long. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

export interface PasswordHasher {
  /** Hashes when the requester's turn comes. @throws AppError `rate_limited` or `unavailable` (turns.ts) */
  hash(password: string, requester: Requester): Promise<string>
  /**
   * Runs work that hashes as one turn: what it reads and writes waits with it, so that a flood costs the database no more than
   * the threads. @throws AppError `rate_limited` or `unavailable` (turns.ts)
   */
  inTurn<Result>(requester: Requester, work: (hasher: DirectHasher) => Promise<Result>): Promise<Result>
  /** Whether a hash was made with less work than is asked for now, or of NFKC (password-text.ts). */
  isOutdated(hash: string): boolean
  /** Operations begun so far, for tests of equal work. */
  operations(): number
  close(): Promise<void>
}

/** With a hash of a third of a second, one address waits about 17 s for the last of its own requests. */
const maxPerAddressAndThread = 50
const maxWaitingPerThread = 200
/** A thread more for whoever has one request alone: it starts at once while others' floods wait. */
const express = 1

/**
 * bcrypt over HMAC-SHA-384 with a pepper, in threads behind a fair queue. The HMAC makes 64 base64 characters of any password:
 * bcrypt silently ignores what follows byte 72 (OWASP Password Storage Cheat Sheet, "Peppering").
 */
export function createPasswordHasher({ cost, pepper, threads }: HasherOptions): PasswordHasher {
  const size = threads ?? Math.min(4, Math.max(1, availableParallelism() - 1))
  const pool = createHashPool({ threads: size + express })
  const turns = createTurns({
    concurrent: size,
    express,
    maxWaiting: maxWaitingPerThread * size,
    maxPerAddress: maxPerAddressAndThread * size,
  })
  const impossibleHash = `$2b$${String(cost).padStart(2, '0')}$${randomBytes(40).toString('hex').slice(0, 53)}`
  let begun = 0

  function prepare(text: string): string {
    return createHmac('sha384', pepper).update(text).digest('base64')
  }

  function run(task: HashTask): Promise<unknown> {
    begun += 1
    return pool.run(task)
  }

  const direct: DirectHasher = {
    async hash(password) {
      return toStoredHash(String(await run({ kind: 'hash', text: prepare(passwordText(password)), cost })))
    },
    async verify(password, hash) {
      const { bcryptHash, form } = readStoredHash(hash ?? impossibleHash)
      const text = prepare(passwordText(password, form))
      const isEqual = await run({ kind: 'compare', text, hash: bcryptHash })
      return hash !== undefined && isEqual === true
    },
  }

  return {
    hash: (password, requester) => turns.take(requester, () => direct.hash(password)),
    inTurn: (requester, work) => turns.take(requester, () => work(direct)),
    isOutdated(hash) {
      const { bcryptHash, form } = readStoredHash(hash)
      return form !== 'NFC' || Number(/^\$2[aby]\$(\d\d)\$/.exec(bcryptHash)?.[1] ?? 0) < cost
    },
    operations: () => begun,
    close: () => pool.close(),
  }
}
