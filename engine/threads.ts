import { availableParallelism, cpus } from 'node:os'
import type { CpuInfo } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Returns how many threads a model may use: this engine's share of the CPUs that this process may run on within its container's quota
 * (Node reads affinity and cgroup limits), or `wanted` (ENGINE_THREADS) if that is fewer. `processes` engines share the machine
 * (ENGINE_PROCESSES). More threads than free CPUs spin against each other and slow a model down many times over, so `wanted` never raises
 * the number. Always an integer of 1 or more.
 */
export function availableThreads(wanted?: number, processes = 1): number {
  const share = Math.max(1, Math.floor(availableParallelism() / Math.max(1, processes)))
  if (wanted === undefined || !Number.isFinite(wanted)) return share
  return Math.min(share, Math.max(1, Math.floor(wanted)))
}

/**
 * Returns the number of threads for one model: one for a demo model, which is too small to split, because two threads that wait for each
 * other on a busy machine cost many times the CPU time of one; otherwise `threads`.
 */
export function threadsFor(model: { isDemo: boolean }, threads: number): number {
  return model.isDemo ? 1 : threads
}

const sampleMs = 200

/**
 * Returns `max`, or fewer if other processes are currently using the CPUs (sampled for 200 ms), but at least 1. Threads of a model that
 * share a CPU wait for each other at every step: with two threads and one free CPU, a call took 30 times as long as with one thread.
 */
export async function freeThreads(max: number): Promise<number> {
  if (max <= 1) return 1
  const before = cpus()
  await wait(sampleMs)
  return Math.min(max, Math.max(1, Math.round(idleCpus(before, cpus()))))
}

/** Returns how many CPUs were idle between two samples, as a sum of shares. */
export function idleCpus(before: CpuInfo[], after: CpuInfo[]): number {
  return after.reduce((sum, { times }, index) => {
    const past = before[index]?.times
    if (!past) return sum
    const idle = times.idle - past.idle
    const busy = times.user + times.nice + times.sys + times.irq - past.user - past.nice - past.sys - past.irq
    return idle + busy > 0 ? sum + idle / (idle + busy) : sum
  }, 0)
}
