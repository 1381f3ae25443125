import { temporaryFailure } from '#data/supervised.ts'

/** Delays grow to this once the service has run, so that it serves again within seconds however often it is killed. */
const longestDelayMs = 2000
/** While it has never run, or ends before it works, something has to be put right first. */
const longestStartDelayMs = 30_000
/** A process that worked this long was healthy: the next restart is quick again. */
const healthyAfterMs = 10_000
/**
 * Faults in a row, before it ever worked, after which a start is given up. With their delays they take longer than the 3 s for which
 * the processes of a supervisor that was killed may still hold port and data file.
 */
const maxStartFaults = 5

/**
 * When to start a service again. A fault at start that repeats (a port in use, a refused configuration) is hopeless; a service that
 * once worked is started again for ever, since a disk that is full today has room tomorrow.
 */
export function createRestartPolicy(firstDelayMs = 200) {
  let delayMs = firstDelayMs
  let startFaults = 0
  let hasEverWorked = false
  let readyAt: number | undefined

  return {
    onStart() {
      readyAt = undefined
    },
    onReady() {
      hasEverWorked = true
      readyAt ??= performance.now()
    },
    /** `code` is null for a process that a signal ended. */
    onEnd(code: number | null): { isHopeless: true } | { isHopeless: false; delayMs: number } {
      const isStartFault = readyAt === undefined && code !== null && code !== temporaryFailure
      startFaults = isStartFault ? startFaults + 1 : 0
      if (!hasEverWorked && startFaults >= maxStartFaults) return { isHopeless: true }
      if (readyAt !== undefined && performance.now() - readyAt > healthyAfterMs) delayMs = firstDelayMs
      const longestMs = hasEverWorked && !isStartFault ? Math.max(longestDelayMs, firstDelayMs) : longestStartDelayMs
      const chosen = Math.min(delayMs, longestMs)
      delayMs = Math.min(chosen * 2, longestMs)
      return { isHopeless: false, delayMs: chosen }
    },
  }
}
