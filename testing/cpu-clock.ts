/**
 * Starts measuring the processor time of this process. Returns a function that returns the milliseconds used since, so that a limit on the
 * time of a computation holds on a busy machine as well.
 */
export function startCpuClock(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
