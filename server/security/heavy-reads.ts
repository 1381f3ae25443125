import { availableParallelism } from 'node:os'
import { AppError } from '#contract/app-error.ts'
import { createFairLimiter } from './fair-limiter.ts'
import { byUser } from './fair-queue.ts'

/** What is downloaded, and what a screen waits for. */
export type HeavyLane = 'file' | 'page'

interface AdmittedRead {
  /**
   * Runs a task at the turn of the call's user. Throws the reason of the signal once that aborts, and `unavailable` after waiting for
   * too long, unless the call is patient.
   */
  takeTurn: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Ends the call: it no longer counts. */
  release: () => void
}

interface HeavyCall {
  userId: string
  lane: HeavyLane
  /** Aborts when the client leaves. */
  signal: AbortSignal
  /** Waits for a turn as long as it takes: a download that has begun can no longer be refused. */
  isPatient: boolean
}

export interface HeavyReads {
  /**
   * Admits a call until it is released. Throws `rate_limited` where its user has too many open, `unavailable` where all users together
   * have.
   */
  admit: (call: HeavyCall) => AdmittedRead
}

interface HeavyReadEvents {
  /** Called when the first call opens. */
  onBusy?: () => void
  /** Called when the last one that was open was released. */
  onQuiet?: () => void
}

interface LaneLimits {
  /** Turns at a time, of all users together. */
  concurrency: number
  /** Calls that wait, run or are being sent. */
  maxOpen: number
  maxOpenPerUser: number
}

/** Files that are written at a time; one more for a user without others. */
const fileConcurrency = Math.min(3, Math.max(1, availableParallelism() - 1))
/** One more runs for a user who has nothing else there: even the next in line would wait for a whole file of somebody else. */
const expressConcurrency = 1
/** A file that was written stays in memory until its client has read it: what may be open bounds the memory. */
const laneLimits: Record<HeavyLane, LaneLimits> = {
  file: { concurrency: fileConcurrency, maxOpen: 128, maxOpenPerUser: 16 },
  page: { concurrency: 2, maxOpen: 400, maxOpenPerUser: 40 },
}
/** At most this many threads of a lane are busy. */
export const maxLaneThreads: Record<HeavyLane, number> = {
  file: laneLimits.file.concurrency + expressConcurrency,
  page: laneLimits.page.concurrency + expressConcurrency,
}
const waitTimeoutMs = 60_000
/** What a refused client gets in Retry-After. */
const retrySeconds = 5

/**
 * Creates the admission of everything that reads or formats much: a user has one turn at a time in each lane, users take turns, and what
 * is open is bounded. Lanes do not wait for each other, so that a screen opens while its user downloads.
 */
export function createHeavyReads({ onBusy, onQuiet }: HeavyReadEvents = {}): HeavyReads {
  let openCount = 0
  function count(change: 1 | -1): void {
    openCount += change
    if (openCount === 0) onQuiet?.()
    else if (openCount === 1 && change === 1) onBusy?.()
  }
  const admitTo = { file: createLane(laneLimits.file, count), page: createLane(laneLimits.page, count) }
  return { admit: (call) => admitTo[call.lane](call) }
}

/** `onChange` is called with each call that is admitted or released. */
function createLane(
  { concurrency, maxOpen, maxOpenPerUser }: LaneLimits,
  onChange: (change: 1 | -1) => void,
): HeavyReads['admit'] {
  const limiter = createFairLimiter({
    concurrency,
    expressConcurrency,
    concurrencyPerAddress: 1,
    // What waits is open, and that is bounded.
    maxWaiting: Infinity,
    maxPerAddress: Infinity,
    waitTimeoutMs,
  })
  const openByUser = new Map<string, number>()
  let openCount = 0

  function count(userId: string, change: 1 | -1): void {
    openCount += change
    const open = (openByUser.get(userId) ?? 0) + change
    if (open > 0) openByUser.set(userId, open)
    else openByUser.delete(userId)
    onChange(change)
  }

  return ({ userId, signal, isPatient }) => {
    if ((openByUser.get(userId) ?? 0) >= maxOpenPerUser) throw tooManyError()
    if (openCount >= maxOpen) throw busyError()
    count(userId, 1)
    let isOpen = true
    const wait = { signal, ...(isPatient && { waitTimeoutMs: Infinity }) }
    return {
      takeTurn: (task) => limiter.run(byUser(userId), task, wait),
      release() {
        if (isOpen) count(userId, -1)
        isOpen = false
      },
    }
  }
}

function tooManyError(): AppError {
  return new AppError('rate_limited', 'Too many of your requests are being worked on.', {
    help: 'Wait until one of them is done, then try again.',
    remainingSeconds: retrySeconds,
  })
}

function busyError(): AppError {
  return new AppError('unavailable', 'The server is busy. Please try again in a few seconds.', {
    remainingSeconds: retrySeconds,
  })
}
