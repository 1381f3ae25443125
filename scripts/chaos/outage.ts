/** One call that checked whether the product responds. Times are milliseconds of one monotonic clock. */
export interface AvailabilitySample {
  startedAtMs: number
  endedAtMs: number
  isAnswered: boolean
}

/**
 * Returns the longest stretch between `fromMs` and `toMs` in which no probe was answered. A probe counts from its end, and only
 * when it began after `brokenAtMs`: a response from before the fault says nothing about the time after it.
 */
export function longestOutageMs(
  probes: readonly AvailabilitySample[],
  { brokenAtMs, fromMs, toMs }: { brokenAtMs: number; fromMs: number; toMs: number },
): number {
  const answeredAt = probes
    .filter(({ isAnswered, startedAtMs }) => isAnswered && startedAtMs >= brokenAtMs)
    .map(({ endedAtMs }) => endedAtMs)
    .filter((at) => at >= fromMs && at <= toMs)
    .toSorted((a, b) => a - b)
  const moments = [fromMs, ...answeredAt, toMs]
  return Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)))
}

/** Whether the last `count` probes that ended after `sinceMs` were all answered. */
export function isServedAgain(
  probes: readonly AvailabilitySample[],
  { sinceMs, count }: { sinceMs: number; count: number },
) {
  const last = probes.filter(({ endedAtMs }) => endedAtMs >= sinceMs).slice(-count)
  return last.length === count && last.every(({ isAnswered }) => isAnswered)
}
