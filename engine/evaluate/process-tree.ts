import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Linux counts the CPU time of processes in these, whatever the processor. */
const ticksPerSecond = 100

interface ProcessStat {
  pid: number
  parent: number
  /** Its own and that of its children that have ended, in seconds. */
  ownS: number
  endedChildrenS: number
}

/** CPU seconds used so far by this process, and by all below it, those that have ended included. */
export function readTreeCpu(): { ownS: number; childrenS: number } {
  const self = readStat(process.pid)
  const below = listDescendants().reduce((sum, { ownS, endedChildrenS }) => sum + ownS + endedChildrenS, 0)
  const { user, system } = process.cpuUsage()
  return { ownS: (user + system) / 1e6, childrenS: (self?.endedChildrenS ?? 0) + below }
}

/** All live processes below this one. */
export function listDescendants(): ProcessStat[] {
  const all = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
    .flatMap((pid) => readStat(pid) ?? [])
  const found: ProcessStat[] = []
  for (let parents = [process.pid]; parents.length > 0;) {
    const children = all.filter(({ parent }) => parents.includes(parent))
    found.push(...children)
    parents = children.map(({ pid }) => pid)
  }
  return found
}

/** proc(5): fields 4 and 14 to 17 of /proc/PID/stat, counted behind the name, which may hold blanks. */
function readStat(pid: number): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0] = fields.slice(1)
    const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11)
    const seconds = (ticks: number) => ticks / ticksPerSecond
    return { pid, parent, ownS: seconds(user + system), endedChildrenS: seconds(childrenUser + childrenSystem) }
  } catch {
    return undefined // it has ended meanwhile
  }
}

/**
 * Watches the peak memory (VmHWM) of every process of the product below this one, which are those that run this very Node, until
 * stopped; returns the largest, in bytes. Another program that waits beside them, such as faster-whisper, does not count.
 */
export function watchPeakMemory(everyMs = 200): { stop(): number } {
  let peakBytes = 0
  const look = () => {
    for (const { pid } of listDescendants().filter(isOwn)) peakBytes = Math.max(peakBytes, readPeak(pid))
  }
  const timer = setInterval(look, everyMs)
  return {
    stop() {
      clearInterval(timer)
      look()
      return peakBytes
    },
  }
}

function isOwn({ pid }: ProcessStat): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === process.execPath
  } catch {
    return false // it has ended meanwhile
  }
}

function readPeak(pid: number): number {
  try {
    const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kibibytes ?? 0) * 1024
  } catch {
    return 0 // it has ended meanwhile
  }
}
