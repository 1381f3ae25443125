import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

/** How long a killed host is away. */
const downMs = 3_000

/** Something that is done to the running cluster. */
export interface PlannedFault {
  /** Milliseconds after the start of the load. */
  atMs: number
  kind: 'kill' | 'restart'
  /** Name of the process, or `chosen server`: the one to which the proxy sends requests at that moment. */
  target: string
}

/** Plans that each process is killed once and each server restarted once, in this order and evenly over the time. */
export function planFaults(processes: string[], durationMs: number): PlannedFault[] {
  const servers = processes.filter((name) => name.startsWith('server'))
  const faults = [
    ...processes.map((target) => ({ kind: 'kill' as const, target })),
    { kind: 'kill' as const, target: 'chosen server' },
    ...servers.map((target) => ({ kind: 'restart' as const, target })),
  ]
  return faults.map((fault, index) => ({ ...fault, atMs: Math.round((durationMs * (index + 0.5)) / faults.length) }))
}

/** A fault that was done, in milliseconds of performance.now(). */
export interface InjectedFault {
  kind: PlannedFault['kind']
  /** What was broken. */
  target: string
  fromMs: number
  /** When it served again. */
  toMs: number
}

/** Kills a process and starts it again after a while, or restarts it as an administrator does. */
export async function injectFault(cluster: Cluster, { kind, target }: PlannedFault): Promise<InjectedFault> {
  const name = target === 'chosen server' ? await findChosenServer(cluster) : target
  const found = cluster.processes.get(name)
  if (!found) throw new Error(`There is no process ${name}`)
  const fromMs = performance.now()
  if (kind === 'kill') {
    await found.kill()
    await wait(downMs)
  } else await found.stop()
  await found.start()
  return { kind, target: target === name ? name : `${target} (${name})`, fromMs, toMs: performance.now() }
}

async function findChosenServer({ url, serverUrls }: Cluster): Promise<string> {
  const answer = await fetch(`${url}/healthz`)
  // With a repeat, the last one answered.
  const address = answer.headers.get('X-Served-By')?.split(', ').at(-1)
  const index = serverUrls.indexOf(`http://${address}`)
  return `server${index === -1 ? 1 : index + 1}`
}
