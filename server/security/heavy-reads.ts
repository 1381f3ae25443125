import { availableParallelism } from 'node:os'
import { AppError } from '#contract/app-error.ts'
import { createFairLimiter } from './fair-limiter.ts'
import { byUser } from './fair-queue.ts'

/** Separate lanes for downloads and for responses that a screen waits for. */
export type HeavyLane = 'file' | 'page'

interface AdmittedRead {
  /**
   * Runs a task at the turn of the call's user. Throws the reason of the signal once it is aborted, and `unavailable` after waiting too
   * long, unless the call is patient.
   */
  takeTurn: <Result>(task: () => Promise<Result>) => Promise<Result>
  /** Ends the call: it no longer counts. */
  release: () => void
}

interface HeavyCall {
  userId: string
  lane: HeavyLane
  /** Aborts when the client disconnects. */
  signal: AbortSignal
  /** Whether to wait for a turn as long as it takes, because a download that has begun can no longer be refused. */
  isPatient: boolean
}

export interface HeavyReads {
  /**
   * Admits a call until it is released. Throws `rate_limited` if its user has too many open calls, and `unavailable` if all users together
   * do.
   */
  admit: (call: HeavyCall) => AdmittedRead
}

interface HeavyReadEvents {
  /** Called when the first call opens. */
  onBusy?: () => void
  /** Called when the last open call is released. */
  onQuiet?: () => void
}

interface LaneLimits {
  /** The number of turns at a time, for all users together. */
  concurrency: number
  /** The maximum number of calls that are waiting, running or being sent. */
  maxOpen: number
  maxOpenPerUser: number
}

/** The number of files written at a time, plus one for a user who has no others. */
const fileConcurrency = Math.min(3, Math.max(1, availableParallelism() - 1))
/** One more runs for a user with no other calls, because even the next in line would wait for somebody else's whole file. */
const expressConcurrency = 1
/** A finished file stays in memory until its client has read it, so the maximum number of open calls bounds the memory. */
const laneLimits: Record<HeavyLane, LaneLimits> = {
  file: { concurrency: fileConcurrency, maxOpen: 128, maxOpenPerUser: 16 },
  page: { concurrency: 2, maxOpen: 400, maxOpenPerUser: 40 },
}
/** The maximum number of busy threads per lane. */
export const maxLaneThreads: Record<HeavyLane, number> = {
  file: laneLimits.file.concurrency + expressConcurrency,
  page: laneLimits.page.concurrency + expressConcurrency,
}
const waitTimeoutMs = 60_000
/** The Retry-After value for a refused client. */
const retrySeconds = 5

/**
 * Creates the admission control for calls that read or format a lot: a user has one turn at a time in each lane, users take turns, and the
 * number of open calls is limited. Lanes do not wait for each other, so that a screen opens while its user is downloading.
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

/** `onChange` is called whenever a call is admitted or released. */
function createLane(
  { concurrency, maxOpen, maxOpenPerUser }: LaneLimits,
  onChange: (change: 1 | -1) => void,
): HeavyReads['admit'] {
  const limiter = createFairLimiter({
    concurrency,
    expressConcurrency,
    concurrencyPerAddress: 1,
    // Waiting calls count as open, and open calls are limited.
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
