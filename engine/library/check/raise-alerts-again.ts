import { listAlertPlaces } from '#data/alerts/raised-alerts.ts'
import { createWatchListRepository, type WatchListRecord } from '#data/alerts/watch-lists.ts'
import { isDatabaseError } from '#data/database-errors.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { OwnedRecording } from '#data/library/derived-records.ts'
import { findWithLifecycle } from '#data/recordings/lifecycle.ts'
import type { CurrentRecording } from '../changed-recording.ts'
import { applyWatchLists, isWatched } from '../alerts/apply-watch-lists.ts'
import { readCurrent } from '../derive-recording.ts'
import type { RecordingText } from '../recording-text.ts'

/** Something stored of a recording's text is damaged. */
export class DamagedTextError extends Error {}

/**
 * Raises the alerts again that scans of the library had raised in a recording and that were deleted although it is there; those that it has
 * stay as they are. Nobody is notified, as by a scan. Throws `DamagedTextError` where the text cannot be read.
 */
export async function raiseScannedAlerts(queue: Queue, { id: recordingId, ownerId }: OwnedRecording): Promise<void> {
  const { connection } = queue
  const { lifecycle, recording } = await findWithLifecycle(connection, ownerId, recordingId)
  if (lifecycle !== 'live') return
  const lists = await createWatchListRepository(connection).list(ownerId)
  const watchLists = lists.filter((list) => list.isOn && hasScanned(list, recordingId) && isWatched(list, recording))
  if (watchLists.length === 0) return
  const current = await readCurrent(queue, recording)
  await applyWatchLists(connection, {
    recording,
    text: await readUndamaged(current),
    watchLists,
    known: await listAlertPlaces(connection, { ownerId, recordingId }),
    jobId: null,
    isDigestDue: false,
  })
}

async function readUndamaged({ readText }: CurrentRecording): Promise<RecordingText> {
  try {
    return await readText()
  } catch (cause) {
    if (isDatabaseError(cause)) throw cause
    throw new DamagedTextError('The text of a recording cannot be read', { cause })
  }
}

/** Scans go through recordings in the order of their ids. */
function hasScanned({ scan }: WatchListRecord, recordingId: string): boolean {
  return scan !== null && (scan.state === 'done' || (scan.afterId !== null && scan.afterId >= recordingId))
}
