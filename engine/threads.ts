import { availableParallelism } from 'node:os'

/**
 * How many threads a model may use: the CPUs this process may run on, less what a container's quota takes away (Node reads
 * affinity and cgroup limits), or `wanted` (ENGINE_THREADS) where that is fewer. More threads than free CPUs spin against each
 * other and slow a model down many times, so `wanted` never raises the number. Always an integer of 1 or more.
 */
export function availableThreads(wanted?: number): number {
  const cpus = Math.max(1, Math.floor(availableParallelism()))
  if (wanted === undefined || !Number.isFinite(wanted)) return cpus
  return Math.min(cpus, Math.max(1, Math.floor(wanted)))
}

/**
 * Threads for one model: one for a demo model, which is too small to share out: two threads that wait for each other on a busy machine
 * cost many times the CPU time of one. Else `threads`.
 */
export function threadsFor(model: { isDemo: boolean }, threads: number): number {
  return model.isDemo ? 1 : threads
}
