import { setTimeout as wait } from 'node:timers/promises'
import { randomItem } from '../plan.ts'
import { signalProcess, type ProductProcess, type Role } from '../process-table.ts'
import type { Product } from '../product.ts'
import type { Fault } from './context.ts'

/** A service that was just killed by another round is given this long to be there. */
const appearMs = 15_000
/** What is left of a supervisor must be gone by then (issue: no orphan outlives its supervisor by 5 s). */
const orphanMs = 5_000
const nativeRoles = ['whisper', 'llama', 'ffmpeg', 'probe'] as const

/** kill -9 of a service. */
export function kill(role: Role): Fault {
  return async ({ product }) => {
    const victim = await untilThere(product, [role])
    if (!victim) return undefined
    const now = performance.now()
    signalProcess(victim.pid, 'SIGKILL')
    return { what: `kill -9 ${role}`, brokenAtMs: now, healedAtMs: now }
  }
}

/** kill -9 of one of the processes that run native code, of a kind that chance names where one runs. */
export const killNativeChild: Fault = async ({ product, random }) => {
  const wanted = randomItem(random, nativeRoles)
  await wait(random() * 1000)
  const victim = (await untilThere(product, [wanted])) ?? (await untilThere(product, nativeRoles))
  if (!victim) return undefined
  const now = performance.now()
  signalProcess(victim.pid, 'SIGKILL')
  return { what: `kill -9 ${victim.role}`, brokenAtMs: now, healedAtMs: now }
}

/** kill -9 of the supervisor, which the service manager starts again. What it leaves behind must end by itself. */
export const killSupervisor: Fault = async ({ product }) => {
  const before = product.processes()
  const now = performance.now()
  product.killSupervisor()
  return {
    what: 'kill -9 supervisor',
    brokenAtMs: now,
    healedAtMs: now,
    async findLater() {
      await wait(Math.max(0, now + orphanMs - performance.now()))
      const isSame = (a: ProductProcess, b: ProductProcess) => a.pid === b.pid && a.startedAtTicks === b.startedAtTicks
      const orphans = product.processes().filter((found) => before.some((old) => isSame(old, found)))
      return orphans.map(({ role }) => `the ${role} outlived its supervisor by ${orphanMs / 1000} s`)
    },
  }
}

async function untilThere(product: Product, roles: readonly Role[]): Promise<ProductProcess | undefined> {
  const endMs = performance.now() + appearMs
  while (performance.now() < endMs) {
    const found = product.processes().find(({ role }) => roles.includes(role))
    if (found) return found
    await wait(20)
  }
  return undefined
}
