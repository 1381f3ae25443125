import type { Logger } from 'pino'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { Queue } from '#data/jobs/queue.ts'
import {
  countExpiredUploads,
  listStrayUploadFiles,
  removeExpiredUploads,
  removeStrayUploadFiles,
} from '#data/uploads/remove-uploads.ts'
import { removeExpired } from '#data/recordings/expire.ts'
import { hasCaseHolds, reconcileCaseHolds } from '#data/holds/case-holds.ts'
import { finishDeletions, hasUnfinishedDeletions } from '#data/recordings/finish-deletions.ts'
import { hasDueRemovals, purgeRemoved } from '#data/recordings/remove.ts'
import { reconcileAudioStore } from '#data/recordings/reconcile-audio-store.ts'
import type { ScheduledTask } from './schedule-runner.ts'

const minuteMs = 60_000

interface ScheduleOptions {
  queue: Queue
  audioStore: AudioStore
  retentionDays: number
  log: Logger
}

/** Returns the maintenance tasks, each of which runs in one engine at its interval. All are safe to repeat. */
export function createSchedule({ queue, audioStore, retentionDays, log }: ScheduleOptions): ScheduledTask[] {
  const { connection } = queue
  const stores = { queue, audioStore }
  const uploadStores = { connection, audioStore }

  async function removeOld() {
    const removed = await removeExpired(stores, retentionDays)
    if (removed.recordings + removed.texts > 0) log.info(removed, 'deleted what was older than the retention allows')
  }

  async function hasUnfinishedUploads() {
    return (await countExpiredUploads(connection)) > 0 || (await listStrayUploadFiles(uploadStores)).length > 0
  }

  async function removeUnfinishedUploads() {
    const expired = await removeExpiredUploads(uploadStores)
    const stray = await removeStrayUploadFiles(uploadStores)
    if (expired + stray > 0) log.info({ expired, stray }, 'removed unfinished uploads')
  }

  async function reconcileAudio() {
    const found = await reconcileAudioStore(uploadStores)
    if (found.orphans > 0) log.warn(found, 'audio files without a recording were moved to the folder orphans')
    if (found.missing > 0) log.error(found, 'recordings whose audio file is missing')
  }

  return [
    {
      name: 'purge-removed',
      everyMs: minuteMs,
      isDue: () => hasDueRemovals(connection),
      run: () => purgeRemoved(stores),
    },
    {
      name: 'finish-deletions',
      everyMs: minuteMs,
      isDue: () => hasUnfinishedDeletions(connection),
      run: () => finishDeletions(stores),
    },
    {
      name: 'reconcile-holds',
      everyMs: 10 * minuteMs,
      isDue: () => hasCaseHolds(connection),
      run: () => reconcileCaseHolds(queue),
    },
    { name: 'remove-expired', everyMs: 60 * minuteMs, run: removeOld },
    { name: 'expire-uploads', everyMs: 10 * minuteMs, isDue: hasUnfinishedUploads, run: removeUnfinishedUploads },
    { name: 'tidy-audio', everyMs: 12 * 60 * minuteMs, run: reconcileAudio },
  ]
}
