import { temporaryFailure } from '#data/supervised.ts'

/** Maximum delay once the service has worked, so that it serves again within seconds however often it is killed. */
const longestDelayMs = 2000
/** Maximum delay while it has never worked, or exits before it works: something has to be repaired first. */
const longestStartDelayMs = 30_000
/** A process that worked this long was healthy: the next restart is quick. */
const healthyAfterMs = 10_000
/**
 * Consecutive failures, before it ever worked, after which the start is given up. With their delays they take longer than the 3 s for
 * which the orphans of a killed supervisor may hold port and data file.
 */
const maxStartFaults = 5

/**
 * Decides when to restart a service. Repeated failures at start (a port in use, a refused configuration) end the attempts; a service that
 * once worked is restarted without end, because a full disk may have room later.
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
    /** `code` is null for a process that was killed. */
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
