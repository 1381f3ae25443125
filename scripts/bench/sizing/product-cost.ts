import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { listProcesses, type Role } from '../../chaos/process-table.ts'

/** What the processes of one role take: memory in bytes, shared pages counted once, and CPU in seconds since they started. */
export interface RoleCost {
  memoryBytes: number
  cpuSeconds: number
}

export type ProductCost = Partial<Record<Role, RoleCost>>

/** Clock ticks per second on Linux, on every processor that Awaz runs on. */
const ticksPerSecond = 100

/** Reads what the running processes of a product take, by role. `mark` is a text in their environment. */
export function readProductCost(mark: string): ProductCost {
  const cost: ProductCost = {}
  for (const { pid, role } of listProcesses(mark)) {
    const before = cost[role] ?? { memoryBytes: 0, cpuSeconds: 0 }
    const own = readProcess(pid)
    cost[role] = {
      memoryBytes: before.memoryBytes + own.memoryBytes,
      cpuSeconds: before.cpuSeconds + own.cpuSeconds,
    }
  }
  return cost
}

/** Keeps reading, because processes that run a model end after their work. `stop` returns the peak memory and the CPU by role. */
export function watchProductCost(mark: string): { stop: () => ProductCost } {
  const cpuByPid = new Map<string, { role: Role; first: number; last: number }>()
  const peaks = new Map<Role, number>()
  const startedIds = new Set(listProcesses(mark).map(idOf))
  function read() {
    const memory = new Map<Role, number>()
    for (const each of listProcesses(mark)) {
      const { memoryBytes, cpuSeconds } = readProcess(each.pid)
      memory.set(each.role, (memory.get(each.role) ?? 0) + memoryBytes)
      const known = cpuByPid.get(idOf(each))
      const first = known?.first ?? (startedIds.has(idOf(each)) ? cpuSeconds : 0)
      cpuByPid.set(idOf(each), { role: each.role, first, last: Math.max(known?.last ?? 0, cpuSeconds) })
    }
    for (const [role, bytes] of memory) peaks.set(role, Math.max(peaks.get(role) ?? 0, bytes))
  }
  read()
  const timer = setInterval(read, 250)
  return {
    stop() {
      clearInterval(timer)
      read()
      const cost: ProductCost = {}
      for (const [role, memoryBytes] of peaks) {
        const own = [...cpuByPid.values()].filter((each) => each.role === role)
        cost[role] = { memoryBytes, cpuSeconds: own.reduce((sum, { first, last }) => sum + last - first, 0) }
      }
      return cost
    },
  }
}

function idOf({ pid, startedAtTicks }: { pid: number; startedAtTicks: number }): string {
  return `${pid} ${startedAtTicks}`
}

function readProcess(pid: number): RoleCost {
  try {
    const shared = readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1')
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return {
      memoryBytes: Number(/^Pss:\s+(\d+) kB/m.exec(shared)?.[1] ?? 0) * 1024,
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / ticksPerSecond,
    }
  } catch {
    return { memoryBytes: 0, cpuSeconds: 0 } // it has exited
  }
}

/** Returns the bytes of all files below a folder. */
export function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce(
      (sum, entry) => sum + (statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0),
      0,
    )
}
