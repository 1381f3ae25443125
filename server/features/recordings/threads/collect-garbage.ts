import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as (options?: { type: 'major'; flavor: 'last-resort' }) => void // what the flag defines

/** Collects all garbage of the calling thread at once: 50 ms for 100 MB of live objects. */
export function collectGarbage(): void {
  gc()
}

/**
 * Collects as V8 does before it runs out of memory, in twice the time. It then also returns the pages that it keeps for new objects, hundreds of
 * megabytes that an ordinary collection mostly leaves.
 */
export function shrinkHeap(): void {
  gc({ type: 'major', flavor: 'last-resort' })
}
