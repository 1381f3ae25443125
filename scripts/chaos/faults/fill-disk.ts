import { setTimeout as wait } from 'node:timers/promises'
import { randomBetween } from '../plan.ts'
import type { Fault } from './context.ts'

/** Long enough for uploads, jobs and sign-ins to meet the full disk. */
const fullMs = { min: 4_000, max: 8_000 }

/** Fills the data disk for a while. Reads must keep working, and /readyz must report the full disk. */
export const fillDisk: Fault = async ({ product, volume, bystander, random }) => {
  if (volume.unavailableReason) return undefined
  const durationMs = randomBetween(random, fullMs.min, fullMs.max)
  const brokenAtMs = performance.now()
  const findings: string[] = []
  volume.fill()
  try {
    await wait(durationMs - 1000)
    const { status } = await bystander.call('GET', '/api/recordings')
    if (status !== 200) findings.push(`reading answered ${status} while the disk was full`)
    const ready = await fetch(`${product.url}/readyz`, { signal: AbortSignal.timeout(5000) }).catch(() => undefined)
    if (ready?.status !== 503) findings.push(`readyz answered ${ready?.status ?? 'nothing'} while the disk was full`)
    await wait(1000)
  } finally {
    volume.free()
  }
  const what = `disk full ${(durationMs / 1000).toFixed(1)} s`
  return { what, brokenAtMs, healedAtMs: performance.now(), findLater: async () => findings }
}
