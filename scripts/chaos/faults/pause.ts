import { setTimeout as wait } from 'node:timers/promises'
import { signalProcess, type Role } from '../process-table.ts'
import type { Fault } from './context.ts'

const pauseMs = { min: 4_000, max: 30_000 }

/** Stops a service with SIGSTOP for 4 to 30 s, usually briefly, then continues it. */
export function pause(role: Role): Fault {
  return async ({ product, random }) => {
    const victim = product.find(role)
    if (!victim) return undefined
    const durationMs = pauseMs.min + (pauseMs.max - pauseMs.min) * random() ** 3
    const brokenAtMs = performance.now()
    signalProcess(victim.pid, 'SIGSTOP')
    try {
      await wait(durationMs)
    } finally {
      signalProcess(victim.pid, 'SIGCONT')
    }
    return { what: `stop ${role} ${(durationMs / 1000).toFixed(1)} s`, brokenAtMs, healedAtMs: performance.now() }
  }
}
