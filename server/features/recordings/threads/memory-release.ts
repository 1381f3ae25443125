import { shrinkHeap } from './collect-garbage.ts'

interface MemoryReleaseOptions {
  collect?: () => void
  /** Returns this process's resident memory, in bytes. */
  readResidentBytes?: () => number
  quietMs?: number
}

export interface MemoryRelease {
  /** Gives memory back a few seconds from now, unless `cancel` is called first. */
  schedule: () => void
  cancel: () => void
}

/** Collecting stops the server for some tenths of a second; less growth than this is not worth it. */
const minGrowthBytes = 32 * 1024 ** 2
/**
 * Creates the function that returns the memory used by downloads to the system once none are running. V8 collects garbage only when
 * something is allocated, so an idle server keeps what its last busy minute took.
 */
export function createMemoryRelease({
  collect = shrinkHeap,
  readResidentBytes = () => process.memoryUsage.rss(),
  quietMs = 5_000,
}: MemoryReleaseOptions = {}): MemoryRelease {
  /**
   * The lowest value since the first collection, which frees what startup left behind; 0 before that. The system gets back the pages of a
   * collection some ten seconds later, and those of the threads when they end, so it is measured at each call.
   */
  let lowestBytes = 0
  let timer: NodeJS.Timeout | undefined

  function release(): void {
    if (readResidentBytes() < lowestBytes + minGrowthBytes) return
    collect()
    if (lowestBytes === 0) lowestBytes = Infinity
  }

  return {
    schedule() {
      lowestBytes = Math.min(lowestBytes, readResidentBytes())
      clearTimeout(timer)
      timer = setTimeout(release, quietMs).unref()
    },
    cancel: () => clearTimeout(timer),
  }
}
