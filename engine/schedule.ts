import type { Logger } from 'pino'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { ScheduledTask } from '#data/jobs/job-notifier.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { removeExpiredUploads, removeStrayUploadFiles } from '#data/uploads/remove-uploads.ts'
import { removeExpired } from '#data/recordings/expire.ts'
import { reconcileCaseHolds } from '#data/holds/case-holds.ts'
import { finishDeletions, purgeRemoved } from '#data/recordings/remove.ts'
import { reconcileAudioStore } from '#data/recordings/reconcile-audio-store.ts'

const minuteMs = 60_000

interface ScheduleOptions {
  queue: Queue
  audioStore: AudioStore
  retentionDays: number
  log: Logger
}

/** Returns the maintenance tasks, each of which one engine runs at its interval. All are safe to repeat. */
export function createSchedule({ queue, audioStore, retentionDays, log }: ScheduleOptions): ScheduledTask[] {
  async function removeOld() {
    const removed = await removeExpired({ queue, audioStore }, retentionDays)
    if (removed.recordings + removed.texts > 0) log.info(removed, 'deleted what was older than the retention allows')
  }

  async function removeUnfinishedUploads() {
    const stores = { connection: queue.connection, audioStore }
    const expired = await removeExpiredUploads(stores)
    const stray = await removeStrayUploadFiles(stores)
    if (expired + stray > 0) log.info({ expired, stray }, 'removed unfinished uploads')
  }

  async function reconcileAudio() {
    const found = await reconcileAudioStore({ connection: queue.connection, audioStore })
    if (found.orphans > 0) log.warn(found, 'audio files without a recording were moved to the folder orphans')
    if (found.missing > 0) log.error(found, 'recordings whose audio file is missing')
  }

  return [
    { name: 'purge-removed', everyMs: minuteMs, run: () => purgeRemoved({ queue, audioStore }) },
    { name: 'finish-deletions', everyMs: minuteMs, run: () => finishDeletions({ queue, audioStore }) },
    { name: 'reconcile-holds', everyMs: 10 * minuteMs, run: () => reconcileCaseHolds(queue) },
    { name: 'remove-expired', everyMs: 60 * minuteMs, run: removeOld },
    { name: 'expire-uploads', everyMs: 10 * minuteMs, run: removeUnfinishedUploads },
    { name: 'tidy-audio', everyMs: 12 * 60 * minuteMs, run: reconcileAudio },
  ]
}
