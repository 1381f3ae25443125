import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc') as (options?: { type: 'major'; flavor: 'last-resort' }) => void // defined by the flag

/** Collects all garbage of the calling thread immediately: 50 ms for 100 MB of live objects. */
export function collectGarbage(): void {
  gc()
}

/**
 * Collects as V8 does before it runs out of memory, which takes twice as long. This also returns the pages that V8 keeps for new objects,
 * hundreds of megabytes that an ordinary collection mostly leaves in place.
 */
export function shrinkHeap(): void {
  gc({ type: 'major', flavor: 'last-resort' })
}
