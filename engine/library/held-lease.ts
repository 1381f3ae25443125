import type { DatabaseConnection } from '#data/connect.ts'
import { releaseFollowerLease, takeFollowerLease, type FollowerLeaseKey } from '#data/followers/follower-lease.ts'

/** A lease of 10 s is extended when it is this old. */
const renewAfterMs = 2_500

/** The time in which this process, and no other, had a lease. */
export interface HeldLease {
  /** The number up to which changes were handled when it began. */
  after: number
  /** Aborted when it ends. */
  signal: AbortSignal
}

/** Creates what holds a lease. A lease that ran out goes on where no other process had it since. */
export function createHeldLease(connection: DatabaseConnection, key: FollowerLeaseKey) {
  let tenure: HeldLease | undefined
  let ending = new AbortController()
  /** When it was extended, by this process's monotonic clock. */
  let extendedAtMs = -Infinity

  function end(): void {
    ending.abort()
    tenure = undefined
  }

  return {
    /** Returns the tenure without a read. */
    current: (): HeldLease | undefined => tenure,
    /** Takes the lease, or extends it where it is not new. Returns the tenure, which is another where this process lost it; undefined: it has none. */
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
