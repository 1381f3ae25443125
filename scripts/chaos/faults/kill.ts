import { setTimeout as wait } from 'node:timers/promises'
import { randomItem } from '../plan.ts'
import { signalProcess, type ProductProcess, type Role } from '../process-table.ts'
import type { Product } from '../product.ts'
import type { Fault } from './context.ts'

/** How long to wait for a service that another round has just killed. */
const appearMs = 15_000
/** Maximum time that an orphan may outlive its supervisor. */
const orphanMs = 5_000
const nativeRoles = ['whisper', 'llama', 'ffmpeg', 'probe'] as const

/** Kills a service with SIGKILL. */
export function kill(role: Role): Fault {
  return async ({ product }) => {
    const victim = await waitForProcess(product, [role])
    if (!victim) return undefined
    const now = performance.now()
    signalProcess(victim.pid, 'SIGKILL')
    return { what: `kill -9 ${role}`, brokenAtMs: now, healedAtMs: now }
  }
}

/** Sends SIGKILL to a random process that runs native code. */
export const killNativeChild: Fault = async ({ product, random }) => {
  const wanted = randomItem(random, nativeRoles)
  await wait(random() * 1000)
  const victim = (await waitForProcess(product, [wanted])) ?? (await waitForProcess(product, nativeRoles))
  if (!victim) return undefined
  const now = performance.now()
  signalProcess(victim.pid, 'SIGKILL')
  return { what: `kill -9 ${victim.role}`, brokenAtMs: now, healedAtMs: now }
}

/** Kills the supervisor with SIGKILL; the service manager starts it again. Its orphans must exit by themselves. */
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

async function waitForProcess(product: Product, roles: readonly Role[]): Promise<ProductProcess | undefined> {
  const endMs = performance.now() + appearMs
  while (performance.now() < endMs) {
    const found = product.processes().find(({ role }) => roles.includes(role))
    if (found) return found
    await wait(20)
  }
  return undefined
}
