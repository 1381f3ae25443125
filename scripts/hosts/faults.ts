import { setTimeout as wait } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

/** How long a killed host stays down. */
const downMs = 3_000

/** A fault to inject into the running cluster. */
export interface PlannedFault {
  /** Milliseconds after the start of the load. */
  atMs: number
  kind: 'kill' | 'restart'
  /** Name of the process, or `chosen server`: the server to which the proxy sends requests at that moment. */
  target: string
}

/** Plans to kill each process once and then restart each server once, spread evenly over the duration. */
export function planFaults(processes: string[], durationMs: number): PlannedFault[] {
  const servers = processes.filter((name) => name.startsWith('server'))
  const faults = [
    ...processes.map((target) => ({ kind: 'kill' as const, target })),
    { kind: 'kill' as const, target: 'chosen server' },
    ...servers.map((target) => ({ kind: 'restart' as const, target })),
  ]
  return faults.map((fault, index) => ({ ...fault, atMs: Math.round((durationMs * (index + 0.5)) / faults.length) }))
}

/** A fault that was injected; times are milliseconds of performance.now(). */
export interface InjectedFault {
  kind: PlannedFault['kind']
  /** The process that was killed or restarted. */
  target: string
  fromMs: number
  /** When it was serving again. */
  toMs: number
}

/** Kills a process and starts it again after a while, or restarts it as an administrator would. */
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
  // If the proxy tried more than one server, the last one answered.
  const address = answer.headers.get('X-Served-By')?.split(', ').at(-1)
  const index = serverUrls.indexOf(`http://${address}`)
  return `server${index === -1 ? 1 : index + 1}`
}
