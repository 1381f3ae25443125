import { createHmac, randomUUID } from 'node:crypto'
import type { Connection } from 'mongoose'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import { isDuplicateKey } from '#data/model.ts'
import { lockoutModel, type LockoutDoc } from '#data/lockouts/lockout-model.ts'

const failuresToLock = 5
/** Accounts specification, section 9: 120 s; each further lock doubles it, up to 15 minutes. */
const lockMsByLevel = [120_000, 240_000, 480_000, 900_000]
const forgottenAfterMs = 24 * 60 * 60_000

/** Who tries. `strangers` share one counter an e-mail; a known device and an open session have one each. */
export type AttemptOrigin = 'strangers' | { device: string } | { session: string }

export interface Attempt {
  /** The attempt succeeded altogether: failures and locks before it are forgotten. */
  succeed(): Promise<void>
  /** The attempt was neither a success nor a failure, such as a right password that still needs a code: it is not counted. */
  withdraw(): Promise<void>
}

/**
 * Locks after failed attempts, the same for e-mail addresses without an account. An attempt is counted before it is checked, so
 * that simultaneous guesses cannot outrun the count. What strangers do locks out strangers alone (ASVS 5, 6.1.1): the owner goes on
 * in an open session and on a device that signed in before.
 */
export function createLockouts({ connection, clock, key }: { connection: Connection; clock: Clock; key: Buffer }) {
  const lockouts = lockoutModel(connection)

  function idOf(email: string, by: AttemptOrigin = 'strangers'): string {
    const kind = by === 'strangers' ? '' : `:${JSON.stringify(by)}`
    return createHmac('sha256', key).update(`lockout:${email}${kind}`).digest('base64url')
  }

  /** Counts an attempt. @throws AppError `account_locked` with the seconds that remain */
  async function begin(email: string, by: AttemptOrigin = 'strangers'): Promise<Attempt> {
    const id = idOf(email, by)
    const attemptId = randomUUID()
    const counted = await countAttempt({ id, account: idOf(email), attemptId })
    if (!counted) throw lockedError(secondsLeft(await lockouts.findOne({ _id: id }).lean<LockoutDoc>()))
    return {
      succeed: async () => void (await lockouts.deleteOne({ _id: id })),
      withdraw: () => withdraw(id, attemptId),
    }
  }

  /** One atomic step: count, and lock at the fifth. No document matches while a lock runs, and the insert then collides. */
  async function countAttempt({ id, account, attemptId }: { id: string; account: string; attemptId: string }) {
    const now = new Date(clock.now())
    const isFifth = { $gte: ['$failures', failuresToLock] }
    const lockMs = { $arrayElemAt: [lockMsByLevel, { $min: ['$level', lockMsByLevel.length - 1] }] }
    const pipeline = [
      {
        $set: {
          account,
          failures: { $add: [{ $ifNull: ['$failures', 0] }, 1] },
          level: { $ifNull: ['$level', 0] },
          lockedUntil: { $ifNull: ['$lockedUntil', new Date(0)] },
          expiresAt: new Date(clock.now() + forgottenAfterMs),
        },
      },
      {
        $set: {
          lockedUntil: { $cond: [isFifth, { $add: [now, lockMs] }, '$lockedUntil'] },
          level: { $cond: [isFifth, { $add: ['$level', 1] }, '$level'] },
          lockedBy: { $cond: [isFifth, attemptId, ''] },
          failures: { $cond: [isFifth, 0, '$failures'] },
        },
      },
    ]
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        return await lockouts
          .findOneAndUpdate({ _id: id, lockedUntil: { $lte: now } }, pipeline, {
            upsert: true,
            returnDocument: 'after',
            updatePipeline: true,
          })
          .lean<LockoutDoc>()
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        const isLocked = await lockouts.exists({ _id: id, lockedUntil: { $gt: now } })
        if (isLocked) return undefined
      }
    }
    return undefined
  }

  /** Takes back what this attempt counted; a lock it caused ends, unless another attempt caused it. */
  async function withdraw(id: string, attemptId: string): Promise<void> {
    const { matchedCount } = await lockouts.updateOne(
      { _id: id, lockedBy: attemptId },
      { $set: { lockedUntil: new Date(0), failures: failuresToLock - 1, lockedBy: '' }, $inc: { level: -1 } },
    )
    if (matchedCount === 0) await lockouts.updateOne({ _id: id, failures: { $gt: 0 } }, { $inc: { failures: -1 } })
  }

  function secondsLeft(found: LockoutDoc | null): number {
    return found ? Math.max(0, Math.ceil((found.lockedUntil.getTime() - clock.now()) / 1000)) : 0
  }

  /** Seconds that the longest lock of an e-mail still runs, whoever is locked out; 0 without one. */
  async function remainingSeconds(email: string): Promise<number> {
    const [latest] = await lockouts
      .find({ account: idOf(email) })
      .sort({ lockedUntil: -1 })
      .limit(1)
      .lean<LockoutDoc[]>()
    return secondsLeft(latest ?? null)
  }

  /** Ends the locks of strangers, devices and sessions alike. */
  async function unlock(email: string): Promise<void> {
    const account = idOf(email)
    await lockouts.deleteMany({ $or: [{ _id: account }, { account }] })
  }

  return { begin, remainingSeconds, unlock }
}

export type Lockouts = ReturnType<typeof createLockouts>

/** Accounts specification, section 8, status 423. */
function lockedError(seconds: number): AppError {
  const remainingSeconds = Math.max(1, seconds)
  const minutes = Math.ceil(remainingSeconds / 60)
  const message = `Account temporarily locked due to multiple failed attempts. Please try again in ${minutes} minutes.`
  return new AppError('account_locked', message, { remainingSeconds })
}
