/**
 * Starts a clock of this process's own processor time; the returned function says how many milliseconds it used since. A limit on the time of
 * a computation then holds on a machine that does other things too.
 */
export function startCpuClock(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
}
