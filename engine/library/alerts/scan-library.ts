import { listAlertPlaces, removeAlerts } from '#data/alerts/raised-alerts.ts'
import { advanceScan, findRunningScan, type WatchListRecord } from '#data/alerts/watch-lists.ts'
import type { Queue } from '#data/jobs/queue.ts'
import { listJobsOfRecordings } from '#data/jobs/results.ts'
import { applyLifecycles } from '#data/library/apply-lifecycles.ts'
import { markAnnotated } from '#data/recordings/annotations.ts'
import { findWithLifecycle } from '#data/recordings/lifecycle.ts'
import { listRecordingIds } from '#data/recordings/recordings.ts'
import type { LibraryBackgroundTask } from '../changed-recording.ts'
import { readRecordingText } from '../read-recording-text.ts'
import { applyWatchLists, isWatched } from './apply-watch-lists.ts'

const budgetMs = 80

/** Returns the task that continues scans of libraries, a few recordings per call; the progress of a scan is stored after each recording. */
export function createScanLibrary(queue: Queue): LibraryBackgroundTask {
  const { connection } = queue
  /** The remaining recordings of the scan in progress, so that the list is read only once. */
  let work: { scan: string; recordingIds: string[] } | undefined

  return async () => {
    const endMs = performance.now() + budgetMs
    let hasWork = false
    while (performance.now() < endMs) {
      const watchList = await findRunningScan(connection)
      if (!watchList) return hasWork
      hasWork = true
      await scanNext(watchList)
    }
    return hasWork
  }

  async function scanNext(watchList: WatchListRecord): Promise<void> {
    const { id, ownerId, scan } = watchList
    const name = `${id} ${scan?.startedAt.getTime()}`
    if (work?.scan !== name) {
      const recordingIds = await listRecordingIds(connection, ownerId, { after: scan?.afterId ?? null })
      work = { scan: name, recordingIds }
    }
    const recordingId = work.recordingIds.shift()
    if (recordingId === undefined) {
      work = undefined
      return advanceScan(connection, watchList, null)
    }
    await advanceScan(connection, watchList, { recordingId, raised: await scanOne(watchList, recordingId) })
  }

  async function scanOne(watchList: WatchListRecord, recordingId: string): Promise<number> {
    const { ownerId } = watchList
    const owner = { ownerId, recordingId }
    const { recording } = await findWithLifecycle(connection, ownerId, recordingId)
    if (!recording || !isWatched(watchList, recording)) return 0
    const text = await readRecordingText(queue, recording, await listJobsOfRecordings(queue, ownerId, [recordingId]))
    const known = await listAlertPlaces(connection, owner)
    const raised = await applyWatchLists(connection, {
      recording,
      text,
      watchLists: [watchList],
      known,
      jobId: null,
      isDigestDue: false,
    })
    if (raised === 0) return 0
    // A recording in the trash may come back, with its alerts.
    if (await markAnnotated(connection, owner)) await applyLifecycles(queue, ownerId, [recordingId])
    else await removeAlerts(connection, owner)
    return raised
  }
}
