import type { DatabaseConnection } from '#data/connect.ts'
import { releaseFollowerLease, takeFollowerLease, type FollowerLeaseKey } from '#data/followers/follower-lease.ts'

/** A 10 s lease is extended when it is this old. */
const renewAfterMs = 2_500

/** A period during which this process, and no other, holds a lease. */
export interface HeldLease {
  /** The number up to which changes had been handled when it began. */
  after: number
  /** Aborted when it ends. */
  signal: AbortSignal
}

/** Creates the holder of a lease. A lease that ran out continues if no other process has held it since. */
export function createHeldLease(connection: DatabaseConnection, key: FollowerLeaseKey) {
  let tenure: HeldLease | undefined
  let ending = new AbortController()
  /** When the lease was extended, by this process's monotonic clock. */
  let extendedAtMs = -Infinity

  function end(): void {
    ending.abort()
    tenure = undefined
  }

  return {
    /** Returns the tenure without reading from the database. */
    current: (): HeldLease | undefined => tenure,
    /** Takes the lease, or extends it unless it is new. Returns the tenure, a new one if the lease had been lost; undefined if not held. */
    async hold(): Promise<HeldLease | undefined> {
      const askedAtMs = performance.now()
      if (tenure && askedAtMs - extendedAtMs < renewAfterMs) return tenure
      const held = await takeFollowerLease(connection, key)
      if (tenure && held && !held.isTakenOver) {
        extendedAtMs = askedAtMs
        return tenure
      }
      end()
      if (!held) return undefined
      extendedAtMs = askedAtMs
      ending = new AbortController()
      tenure = { after: held.after, signal: ending.signal }
      return tenure
    },
    end,
    async release(): Promise<void> {
      end()
      await releaseFollowerLease(connection, key)
    },
  }
}
