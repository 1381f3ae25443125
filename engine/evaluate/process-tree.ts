import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Linux reports the CPU time of processes in these units on every architecture. */
const ticksPerSecond = 100

interface ProcessStat {
  pid: number
  parent: number
  /** CPU time of the process, and of its children that have ended, in seconds. */
  ownSeconds: number
  endedChildrenSeconds: number
}

/** Returns the CPU seconds used by this process and by its descendants, including those that have ended. */
export function readTreeCpu(): { ownSeconds: number; childrenSeconds: number } {
  const self = readStat(process.pid)
  const below = listDescendants().reduce(
    (sum, { ownSeconds, endedChildrenSeconds }) => sum + ownSeconds + endedChildrenSeconds,
    0,
  )
  const { user, system } = process.cpuUsage()
  return { ownSeconds: (user + system) / 1e6, childrenSeconds: (self?.endedChildrenSeconds ?? 0) + below }
}

/** Returns all live descendants of this process. */
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

/** Reads fields 4 and 14 to 17 of /proc/PID/stat (proc(5)), counted from the end of the name, which may contain spaces. */
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
    return {
      pid,
      parent,
      ownSeconds: seconds(user + system),
      endedChildrenSeconds: seconds(childrenUser + childrenSystem),
    }
  } catch {
    return undefined // it has since ended
  }
}

const sampleIntervalMs = 200

/**
 * Watches the peak memory (VmHWM) of all descendants that run the same Node binary, or with `isNewOnly` only of those that start from now
 * on; `stop` returns the largest, in bytes. Other programs, such as faster-whisper, are ignored.
 */
export function watchPeakMemory({ isNewOnly = false } = {}): { stop(): number } {
  const ignored = new Set(isNewOnly ? listDescendants().map(({ pid }) => pid) : [])
  let peakBytes = 0
  const sample = () => {
    for (const { pid } of listDescendants().filter(isOwn)) {
      if (!ignored.has(pid)) peakBytes = Math.max(peakBytes, readPeak(pid))
    }
  }
  const timer = setInterval(sample, sampleIntervalMs)
  return {
    stop() {
      clearInterval(timer)
      sample()
      return peakBytes
    },
  }
}

function isOwn({ pid }: ProcessStat): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === process.execPath
  } catch {
    return false // it has since ended
  }
}

function readPeak(pid: number): number {
  try {
    const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kibibytes ?? 0) * 1024
  } catch {
    return 0 // it has since ended
  }
}
