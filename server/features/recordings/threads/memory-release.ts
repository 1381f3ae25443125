import { shrinkHeap } from './collect-garbage.ts'

interface MemoryReleaseOptions {
  collect?: () => void
  /** Memory of this process that is in RAM, in bytes. */
  readResidentBytes?: () => number
  quietMs?: number
}

export interface MemoryRelease {
  /** Gives memory back a few seconds from now, unless `cancel` is called before. */
  schedule: () => void
  cancel: () => void
}

/** Collecting stops the server for some tenths of a second, which less than this is not worth. */
const minGrowthBytes = 32 * 1024 ** 2
/**
 * Creates what returns the memory of downloads to the system when no more of them are running. V8 collects garbage when something is
 * allocated: a server that nobody uses keeps what its last busy minute took.
 */
export function createMemoryRelease({
  collect = shrinkHeap,
  readResidentBytes = () => process.memoryUsage.rss(),
  quietMs = 5_000,
}: MemoryReleaseOptions = {}): MemoryRelease {
  /**
   * The least since the first collection, which takes what starting has left: 0 before it. The system has the pages of a collection some ten seconds
   * later, and those of the threads when they end, so it is measured at each call.
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
