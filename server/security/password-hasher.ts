import { createHmac, randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Requester } from './fair-queue.ts'
import { createHashPool, type HashPool, type HashTask } from './hash-pool.ts'
import { createFairLimiter } from './fair-limiter.ts'

/**
 * The prefix of hashes of passwords in NFC. Hashes without it are older and used NFKC, which maps different characters to the same one
 * (`ﬁ` to `fi`, `²` to `2`); signing in replaces them.
 */
const nfcPrefix = 'nfc'

/** A stored hash, and the normalization form of the password that was hashed. */
interface StoredHash {
  bcryptHash: string
  form: 'NFC' | 'NFKC'
}

function readStoredHash(stored: string): StoredHash {
  return stored.startsWith(nfcPrefix)
    ? { bcryptHash: stored.slice(nfcPrefix.length), form: 'NFC' }
    : { bcryptHash: stored, form: 'NFKC' }
}

function toStoredHash(bcryptHash: string): string {
  return `${nfcPrefix}${bcryptHash}`
}

/**
 * Returns the password in the form to be hashed. It is only normalized: keyboards produce the same `آ` as one code point or as two, and
 * both are the same password. Distinguishable passwords stay different; nothing is trimmed, cut or folded (ASVS 5, 6.2.8;
 * docs/security.md).
 */
function normalizePassword(password: string, form: StoredHash['form'] = 'NFC'): string {
  return password.normalize(form)
}

interface HasherOptions {
  /** bcrypt cost: each step doubles the work. */
  cost: number
  pepper: Buffer
  /** Default: one less than the number of processors, which leaves one for the server's main thread; at least 1, at most 4. */
  threads?: number
  /** Closed by the caller that opened it. Default: a separate pool. */
  pool?: HashPool | undefined
}

/** Hashes without a queue: for tasks whose turn has come. */
export interface DirectHasher {
  hash(password: string): Promise<string>
  /** Without a hash, does the same work on one that nothing matches and returns false, so that unknown accounts take just as long. */
  verify(password: string, hash: string | undefined): Promise<boolean>
}

export interface PasswordHasher {
  /** Hashes when the requester's turn comes. Throws `rate_limited` or `unavailable` (fair-limiter.ts). */
  hash(password: string, requester: Requester): Promise<string>
  /**
   * Runs a task that hashes as one turn: its reads and writes wait as well, so that a flood burdens the database no more than the
   * threads. Throws `rate_limited` or `unavailable` (fair-limiter.ts).
   */
  runInTurn<Result>(requester: Requester, task: (hasher: DirectHasher) => Promise<Result>): Promise<Result>
  /** Returns whether a hash has a lower cost than the current one, or was made from NFKC. */
  isOutdated(hash: string): boolean
  /** Returns how many operations were started, for tests of equal work. */
  operations(): number
  close(): Promise<void>
}

/** At a third of a second per hash, the last request of an address waits about 17 s for the others of that address. */
const maxPerAddressAndThread = 50
const maxWaitingPerThread = 200
/** One more thread for addresses with a single request, which starts at once while the floods of others wait. */
const expressThreads = 1

/**
 * Creates a hasher that uses bcrypt over HMAC-SHA-384 with a pepper, in threads behind a fair queue. The HMAC turns any password into 64
 * base64 characters, because bcrypt silently ignores everything after byte 72 (OWASP Password Storage Cheat Sheet, "Peppering").
 */
export function createPasswordHasher({ cost, pepper, threads, pool: given }: HasherOptions): PasswordHasher {
  const size = threads ?? Math.min(4, Math.max(1, availableParallelism() - 1))
  const pool = given ?? createHashPool({ threads: size + expressThreads })
  const limiter = createFairLimiter({
    concurrency: size,
    expressConcurrency: expressThreads,
    maxWaiting: maxWaitingPerThread * size,
    maxPerAddress: maxPerAddressAndThread * size,
  })
  const impossibleHash = `$2b$${String(cost).padStart(2, '0')}$${randomBytes(40).toString('hex').slice(0, 53)}`
  let started = 0

  function prepare(text: string): string {
    return createHmac('sha384', pepper).update(text).digest('base64')
  }

  function run(task: HashTask): Promise<unknown> {
    started += 1
    return pool.run(task)
  }

  const direct: DirectHasher = {
    async hash(password) {
      return toStoredHash(String(await run({ kind: 'hash', text: prepare(normalizePassword(password)), cost })))
    },
    async verify(password, hash) {
      const { bcryptHash, form } = readStoredHash(hash ?? impossibleHash)
      const text = prepare(normalizePassword(password, form))
      const isEqual = await run({ kind: 'compare', text, hash: bcryptHash })
      return hash !== undefined && isEqual === true
    },
  }

  return {
    hash: (password, requester) => limiter.run(requester, () => direct.hash(password)),
    runInTurn: (requester, task) => limiter.run(requester, () => task(direct)),
    isOutdated(hash) {
      const { bcryptHash, form } = readStoredHash(hash)
      return form !== 'NFC' || Number(/^\$2[aby]\$(\d\d)\$/.exec(bcryptHash)?.[1] ?? 0) < cost
    },
    operations: () => started,
    close: async () => (given ? undefined : pool.close()),
  }
}
