import { permanentFailure, temporaryFailure } from '#data/supervised.ts'

/** Maximum delay once the service has worked, so that it serves again within seconds however often it is killed. */
const maxDelayMs = 2000
/** Maximum delay while it has never worked, or exits before it works: something has to be repaired first. */
const maxStartDelayMs = 30_000
/** A process that worked this long was healthy: the next restart is quick. */
const healthyAfterMs = 10_000
/**
 * Gives up after this many consecutive failures if the service was never ready. With the delays between them they take longer than the 3 s
 * for which orphans of a killed supervisor may hold the port and the data file.
 */
const maxStartFailures = 5

/**
 * Decides when to restart a service. Repeated failures at start (a port in use, an invalid configuration) end the attempts, and a permanent
 * one ends them at once. A service that was ready once is always restarted, because a full disk may have room later.
 */
export function createRestartPolicy(firstDelayMs = 200) {
  let delayMs = firstDelayMs
  let startFailures = 0
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
    onEnd(code: number | null): { shouldGiveUp: true } | { shouldGiveUp: false; delayMs: number } {
      const isStartFailure = readyAt === undefined && code !== null && code !== temporaryFailure
      startFailures = isStartFailure ? startFailures + 1 : 0
      const isHopeless = code === permanentFailure || startFailures >= maxStartFailures
      if (!hasEverWorked && isHopeless) return { shouldGiveUp: true }
      if (readyAt !== undefined && performance.now() - readyAt > healthyAfterMs) delayMs = firstDelayMs
      const maxMs = hasEverWorked && !isStartFailure ? Math.max(maxDelayMs, firstDelayMs) : maxStartDelayMs
      const chosen = Math.min(delayMs, maxMs)
      delayMs = Math.min(chosen * 2, maxMs)
      return { shouldGiveUp: false, delayMs: chosen }
    },
  }
}
