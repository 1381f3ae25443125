import type { Logger } from 'pino'
import type { Activity } from '#data/activity.ts'
import { findOpenBatches, removeOldBatches, type BatchRecord } from '#data/batches/batches.ts'
import { holdFollowerLease, releaseFollowerLease } from '#data/followers/follower-lease.ts'
import { newId } from '#data/ids.ts'
import { repeat } from '#data/repeat.ts'
import { advanceBatch, type BatchAdvanceDeps } from './advance-batch.ts'

const intervalMs = 1_000
/** How often to look for expired batches while there is activity. */
const cleanupIntervalMs = 10 * 60_000
/** How often the recordings of each batch are counted even if nothing seems to have changed, as after a crash. */
const recountMs = 10_000

export interface BatchFeeder {
  /** Does one round of all batches, after any round that is running. */
  feed(): Promise<void>
  /** Starts a round soon. */
  wake(): void
  close(): Promise<void>
}

/** Runs the batches of all users little by little. Only one server does so at a time, for as long as it holds the lease. */
export function createBatchFeeder(deps: BatchAdvanceDeps & { activity: Activity; log: Logger }): BatchFeeder {
  const { queue, activity, log } = deps
  const { connection } = queue
  const follower = { name: 'batches', holder: newId() }
  const countedAtMs = new Map<string, number>()
  let current: Promise<void> = Promise.resolve()
  let isClosed = false
  let hasFailed = false

  async function feedAll(): Promise<void> {
    const open = isClosed ? [] : await findOpenBatches(connection)
    // Their recordings may be waiting for jobs that report nothing for a long time.
    if (open.length > 0) activity.keepActive()
    for (const id of countedAtMs.keys()) if (!open.some((batch) => batch.id === id)) countedAtMs.delete(id)
    const shares = countByOwner(open)
    const failures: unknown[] = []
    for (const batch of open) {
      if (isClosed || (await holdFollowerLease(connection, follower)) === null) return
      const isCounted = performance.now() - (countedAtMs.get(batch.id) ?? -Infinity) < recountMs
      try {
        await advanceBatch(deps, { batch, shares: shares.get(batch.ownerId) ?? 1, isCounted })
        if (!isCounted) countedAtMs.set(batch.id, performance.now())
      } catch (error) {
        failures.push(error)
      }
    }
    // A failure does not hold up the other batches.
    if (failures.length > 0) throw failures[0]
  }

  function feed(): Promise<void> {
    current = current.then(feedAll, feedAll)
    return current
  }

  async function feedOrLog(): Promise<void> {
    try {
      await feed()
      hasFailed = false
    } catch (err) {
      if (!hasFailed) log.warn({ err }, 'batches could not be continued; trying again')
      hasFailed = true
    }
  }

  /** Requests for a round while one is already waiting count as one. */
  let isDue = false
  function wake(): void {
    if (isDue || isClosed) return
    isDue = true
    void feedOrLog().finally(() => (isDue = false))
  }

  const stopFeeding = repeat(activity, { run: feedOrLog, activeMs: intervalMs, onError: () => undefined })
  const stopCleaning = repeat(activity, {
    run: () => removeOldBatches(connection),
    activeMs: cleanupIntervalMs,
    restMs: cleanupIntervalMs,
    onError: (err) => log.warn({ err }, 'old batches could not be removed'),
  })

  return {
    feed,
    wake,
    async close() {
      isClosed = true
      await Promise.all([stopFeeding(), stopCleaning()])
      await current.catch(() => undefined)
      await releaseFollowerLease(connection, follower).catch(() => undefined)
    },
  }
}

function countByOwner(batches: BatchRecord[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { ownerId } of batches) counts.set(ownerId, (counts.get(ownerId) ?? 0) + 1)
  return counts
}
