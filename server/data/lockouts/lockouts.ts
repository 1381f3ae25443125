import { type Connection, Schema } from 'mongoose'
import { isDuplicateKey, modelOf } from '../model.ts'

export interface LockoutRules {
  /** The number of failed attempts that locks. */
  maxFailures: number
  /** Durations of the first lock, the second and so on; the last duration repeats. */
  lockMsByLevel: number[]
  /** Failures and locks are forgotten this long after the last attempt. */
  retentionMs: number
}

interface CountedAttempt {
  /** The id of the counter. */
  id: string
  /** The account that the counter belongs to; one account has several. */
  account: string
  attemptId: string
  now: number
}

/** Failed attempts for one e-mail address, with or without an account: of all unknown devices together, or of one device or session. */
interface LockoutDocument {
  /** HMAC of the normalized e-mail address and the origin of the attempts. */
  _id: string
  /** HMAC of only the e-mail address, which an admin unlocks. */
  account: string
  failures: number
  /** Number of locks so far, which determines the duration of the next. */
  level: number
  lockedUntil: Date
  /** The attempt that caused the lock, so that it can release the lock when it succeeds. */
  lockedBy: string
  expiresAt: Date
}

const lockoutSchema = new Schema<LockoutDocument>(
  {
    _id: { type: String, required: true },
    account: { type: String, default: '' },
    failures: { type: Number, required: true },
    level: { type: Number, required: true },
    lockedUntil: { type: Date, required: true },
    lockedBy: { type: String, default: '' },
    expiresAt: { type: Date, required: true },
  },
  { versionKey: false },
)
lockoutSchema.index({ account: 1, lockedUntil: -1 })
lockoutSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 3600 })

/** Counts failed attempts and keeps locks. */
export function createLockoutRepository(connection: Connection, rules: LockoutRules) {
  const lockouts = lockoutModel(connection)

  /** Counts an attempt and locks at the last allowed one, in one atomic step. Returns false while a lock is active. */
  async function countAttempt(attempt: CountedAttempt): Promise<boolean> {
    const { id } = attempt
    const now = new Date(attempt.now)
    const pipeline = toPipeline(attempt, rules)
    for (let tries = 0; tries < 2; tries += 1) {
      try {
        // No document matches while a lock is active, and the insert then collides.
        const counted = await lockouts
          .findOneAndUpdate({ _id: id, lockedUntil: { $lte: now } }, pipeline, {
            upsert: true,
            returnDocument: 'after',
            updatePipeline: true,
          })
          .lean<LockoutDocument>()
        return counted !== null
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
        const isLocked = await lockouts.exists({ _id: id, lockedUntil: { $gt: now } })
        if (isLocked) return false
      }
    }
    return false
  }

  /** Undoes the count of an attempt, and ends the lock if this attempt caused it. */
  async function withdrawAttempt(id: string, attemptId: string): Promise<void> {
    const { matchedCount } = await lockouts.updateOne(
      { _id: id, lockedBy: attemptId },
      { $set: { lockedUntil: new Date(0), failures: rules.maxFailures - 1, lockedBy: '' }, $inc: { level: -1 } },
    )
    if (matchedCount === 0) await lockouts.updateOne({ _id: id, failures: { $gt: 0 } }, { $inc: { failures: -1 } })
  }

  async function findLockedUntil(id: string): Promise<Date | undefined> {
    return (await lockouts.findOne({ _id: id }).lean<LockoutDocument>())?.lockedUntil
  }

  /** Returns the end of the longest lock of an account, across all of its counters. */
  async function findLatestLockedUntil(account: string): Promise<Date | undefined> {
    const [latest] = await lockouts.find({ account }).sort({ lockedUntil: -1 }).limit(1).lean<LockoutDocument[]>()
    return latest?.lockedUntil
  }

  async function remove(id: string): Promise<void> {
    await lockouts.deleteOne({ _id: id })
  }

  /** Removes all counters of an account. */
  async function removeByAccount(account: string): Promise<void> {
    await lockouts.deleteMany({ $or: [{ _id: account }, { account }] })
  }

  return { countAttempt, withdrawAttempt, findLockedUntil, findLatestLockedUntil, remove, removeByAccount }
}

export type LockoutRepository = ReturnType<typeof createLockoutRepository>

function toPipeline(
  { account, attemptId, now }: CountedAttempt,
  { maxFailures, lockMsByLevel, retentionMs }: LockoutRules,
) {
  const isLast = { $gte: ['$failures', maxFailures] }
  const lockMs = { $arrayElemAt: [lockMsByLevel, { $min: ['$level', lockMsByLevel.length - 1] }] }
  return [
    {
      $set: {
        account,
        failures: { $add: [{ $ifNull: ['$failures', 0] }, 1] },
        level: { $ifNull: ['$level', 0] },
        lockedUntil: { $ifNull: ['$lockedUntil', new Date(0)] },
        expiresAt: new Date(now + retentionMs),
      },
    },
    {
      $set: {
        lockedUntil: { $cond: [isLast, { $add: [new Date(now), lockMs] }, '$lockedUntil'] },
        level: { $cond: [isLast, { $add: ['$level', 1] }, '$level'] },
        lockedBy: { $cond: [isLast, attemptId, ''] },
        failures: { $cond: [isLast, 0, '$failures'] },
      },
    },
  ]
}

export function lockoutModel(connection: Connection) {
  return modelOf<LockoutDocument>(connection, 'Lockout', lockoutSchema, 'lockouts')
}
