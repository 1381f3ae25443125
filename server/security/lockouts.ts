import { createHmac, randomUUID } from 'node:crypto'
import { AppError } from '#contract/app-error.ts'
import type { Clock } from '#data/clock.ts'
import type { LockoutRepository, LockoutRules } from '#data/lockouts/lockouts.ts'

/** Accounts specification, section 9: five failures lock for 120 s; each further lock doubles the time, up to 15 minutes. */
export const lockoutRules: LockoutRules = {
  maxFailures: 5,
  lockMsByLevel: [120_000, 240_000, 480_000, 900_000],
  retentionMs: 24 * 60 * 60_000,
}

/** Where an attempt comes from. Unknown devices share one counter per e-mail address; each known device and open session has another. */
export type SignInAttemptOrigin = 'unknown_device' | { device: string } | { session: string }

export interface SignInAttempt {
  /** Records that the attempt fully succeeded: earlier failures and locks are forgotten. */
  succeed(): Promise<void>
  /** Removes an attempt from the count that neither succeeded nor failed, such as a correct password that still needs a code. */
  withdraw(): Promise<void>
}

interface LockoutsDeps {
  repository: LockoutRepository
  clock: Clock
  key: Buffer
}

/**
 * Locks after failed attempts, also for e-mail addresses without an account. An attempt is counted before it is checked, so that
 * simultaneous guesses cannot outrun the count. Failures on unknown devices lock out only unknown devices (ASVS 5, 6.1.1): the owner can
 * continue in an open session and on devices that have signed in before.
 */
export function createLockouts({ repository, clock, key }: LockoutsDeps) {
  function idOf(email: string, by: SignInAttemptOrigin = 'unknown_device'): string {
    const suffix = by === 'unknown_device' ? '' : `:${JSON.stringify(by)}`
    return createHmac('sha256', key).update(`lockout:${email}${suffix}`).digest('base64url')
  }

  /** Counts an attempt. Throws `account_locked` with the remaining seconds while a lock is in force. */
  async function begin(email: string, by: SignInAttemptOrigin = 'unknown_device'): Promise<SignInAttempt> {
    const id = idOf(email, by)
    const attemptId = randomUUID()
    const isCounted = await repository.countAttempt({ id, account: idOf(email), attemptId, now: clock.now() })
    if (!isCounted) throw lockedError(secondsUntil(await repository.findLockedUntil(id)))
    return {
      succeed: () => repository.remove(id),
      withdraw: () => repository.withdrawAttempt(id, attemptId),
    }
  }

  function secondsUntil(end: Date | undefined): number {
    return end ? Math.max(0, Math.ceil((end.getTime() - clock.now()) / 1000)) : 0
  }

  /** Returns the remaining seconds of an account's longest lock, no matter who is locked out; 0 if there is none. */
  async function remainingSeconds(email: string): Promise<number> {
    return secondsUntil(await repository.findLatestLockedUntil(idOf(email)))
  }

  /** Ends all locks of an account: those of unknown devices, known devices and sessions. */
  async function unlock(email: string): Promise<void> {
    await repository.removeByAccount(idOf(email))
  }

  return { begin, remainingSeconds, unlock }
}

export type Lockouts = ReturnType<typeof createLockouts>

/** Accounts specification, section 8, status 423. */
function lockedError(seconds: number): AppError {
  const remainingSeconds = Math.max(1, seconds)
  const minutes = Math.ceil(remainingSeconds / 60)
  const time = minutes === 1 ? '1 minute' : `${minutes} minutes`
  const message = `Account temporarily locked due to multiple failed attempts. Please try again in ${time}.`
  return new AppError('account_locked', message, { remainingSeconds })
}
