import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { holdFollowerLease, releaseFollowerLease } from '#data/followers/follower-lease.ts'
import { newId } from '#data/ids.ts'
import { createFolderWatch, type FolderWatchOptions } from './folder-watch.ts'

export interface WatchFolderOptions extends Omit<FolderWatchOptions, 'retryMs'> {
  /** How often all files are listed. Default: half of `settleMs`, at most 5 s. */
  scanIntervalMs?: number
  /** After this long, a file that could not be imported is tried again. Default: 1 minute. */
  retryMs?: number
}

/** How often the lease is renewed, or requested while another server has it. */
const leaseIntervalMs = 3_000
/** A lease renewed longer ago than this may already belong to another server: it lasts 10 s. */
const maxLeaseAgeMs = 8_000
/** Listing takes at most a tenth of the time, however many files are waiting, unless it takes minutes. */
const maxListingShare = 1 / 10
const maxScanIntervalMs = 60_000

/** Imports recordings from a folder on the server until closed; of several servers, only one does so. */
export async function startWatchFolder(options: WatchFolderOptions): Promise<{ close: () => Promise<void> }> {
  const { folder, connection, log, settleMs } = options
  const { scanIntervalMs = Math.min(5_000, settleMs / 2), retryMs = 60_000 } = options
  const lease = { name: 'watch-folder', holder: newId() }
  const stopping = new AbortController()
  let heldAt = -Infinity
  let nextScanAt = 0
  let wakeUp = new AbortController()
  await mkdir(folder, { recursive: true }).catch((err: unknown) => {
    log.error({ err, folder }, 'WATCH_DIR cannot be made; nothing is imported until it is there')
  })
  const watch = createFolderWatch({ ...options, retryMs }, { signal: stopping.signal, holdLease })

  /** Renews the lease if the last renewal was a while ago. */
  async function holdLease(): Promise<boolean> {
    if (performance.now() - heldAt < leaseIntervalMs) return true
    const askedAt = performance.now()
    try {
      if ((await holdFollowerLease(connection, lease)) !== null) heldAt = askedAt
      else heldAt = -Infinity
    } catch (err) {
      log.warn({ err }, 'the watch folder waits for the database')
    }
    return performance.now() - heldAt < maxLeaseAgeMs
  }

  /** Lists the files again and again, even while some are being imported, so that it is known who is waiting for a turn. */
  async function scanAll() {
    while (!stopping.signal.aborted) {
      const isHolder = await holdLease()
      if (!isHolder) watch.forget()
      if (isHolder && performance.now() >= nextScanAt) {
        const intervalMs = await scanOnce()
        nextScanAt = performance.now() + intervalMs
        wakeUp.abort()
      }
      const restMs = isHolder ? Math.max(0, nextScanAt - performance.now()) : leaseIntervalMs
      await rest(Math.min(leaseIntervalMs, restMs), stopping.signal)
    }
  }

  /** Returns how long to wait until the next scan. */
  async function scanOnce(): Promise<number> {
    try {
      const listingMs = await watch.scan()
      return Math.max(scanIntervalMs, Math.min(listingMs / maxListingShare, maxScanIntervalMs))
    } catch (err) {
      if (!stopping.signal.aborted) log.warn({ err }, 'the watch folder could not be looked through')
      return leaseIntervalMs
    }
  }

  async function ingestAll() {
    while (!stopping.signal.aborted) {
      wakeUp = new AbortController()
      const hasImported = (await holdLease()) && (await watch.ingestNext())
      if (!hasImported) await rest(leaseIntervalMs, AbortSignal.any([stopping.signal, wakeUp.signal]))
    }
  }

  const running = Promise.all([scanAll(), ingestAll()])
  return {
    async close() {
      stopping.abort()
      await running
      await releaseFollowerLease(connection, lease).catch(() => undefined)
    },
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
