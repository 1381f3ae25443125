import { setTimeout as wait } from 'node:timers/promises'
import { isServedAgain, type AvailabilitySample } from './outage.ts'
import type { Person } from './person.ts'

const probeEveryMs = 250
const probeTimeoutMs = 5_000
/** Maximum number of calls in flight; more would only queue behind a stopped server. */
const maxPending = 30
/** Consecutive responses after which the service counts as recovered. */
const answersInARow = 6
const keptProbes = 5_000

/** Checks continuously whether the product responds. */
export interface Monitor {
  /** Samples of a call that reads the session and writes to the database. */
  serving: AvailabilitySample[]
  /** Samples of /readyz. */
  ready: AvailabilitySample[]
  /** Resolves to true when both respond again after `sinceMs`, to false after `limitMs`. */
  untilServed(options: { sinceMs: number; limitMs: number }): Promise<boolean>
}

/** Starts monitoring as `person`, until the signal aborts. */
export function startMonitor(person: Person, { url, signal }: { url: string; signal: AbortSignal }): Monitor {
  const serving: AvailabilitySample[] = []
  const ready: AvailabilitySample[] = []
  let count = 0

  async function isServing(): Promise<boolean> {
    count += 1
    const body = { first_name: `Probe ${count}` }
    return (await person.call('PUT', '/api/auth/profile', { body, timeoutMs: probeTimeoutMs })).status === 200
  }

  async function isReady(): Promise<boolean> {
    return (await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(probeTimeoutMs) })).status === 200
  }

  async function ask(probes: AvailabilitySample[], probe: () => Promise<boolean>) {
    let pending = 0
    async function askOnce() {
      pending += 1
      const startedAtMs = performance.now()
      const isAnswered = await probe().catch(() => false)
      pending -= 1
      probes.push({ startedAtMs, endedAtMs: performance.now(), isAnswered })
      if (probes.length > keptProbes) probes.splice(0, keptProbes / 2)
    }
    while (!signal.aborted) {
      await wait(probeEveryMs)
      if (pending < maxPending) void askOnce()
    }
  }

  void ask(serving, isServing)
  void ask(ready, isReady)
  return {
    serving,
    ready,
    async untilServed({ sinceMs, limitMs }) {
      const isBack = (probes: AvailabilitySample[]) => isServedAgain(probes, { sinceMs, count: answersInARow })
      while (performance.now() < sinceMs + limitMs) {
        if (isBack(serving) && isBack(ready)) return true
        await wait(100)
      }
      return false
    },
  }
}
