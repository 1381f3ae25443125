import { listAlertPlaces } from '#data/alerts/raised-alerts.ts'
import { createWatchListRepository, type WatchListRecord } from '#data/alerts/watch-lists.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { isDatabaseError } from '#data/database-errors.ts'
import type { Queue } from '#data/jobs/queue.ts'
import type { OwnedRecording } from '#data/library/derived-records.ts'
import { findWithLifecycle } from '#data/recordings/lifecycle.ts'
import type { CurrentRecording } from '../changed-recording.ts'
import { applyWatchLists, isWatched } from '../alerts/apply-watch-lists.ts'
import { readCurrent } from '../derive-recording.ts'
import { createRaiseAlerts } from '../raise-alerts.ts'
import type { RecordingText } from '../recording-text.ts'

/** Something stored of a recording's text is damaged. */
export class DamagedTextError extends Error {}

/**
 * Raises the alerts of a recording again that were deleted although it is there: of scans of the library, then of its jobs. Those that it has
 * stay as they are. For scans no one is notified, for jobs as by `createRaiseAlerts`. Throws `DamagedTextError` where the text cannot be read.
 */
export async function raiseAlertsAgain(queue: Queue, { id, ownerId }: OwnedRecording): Promise<void> {
  const { lifecycle, recording } = await findWithLifecycle(queue.connection, ownerId, id)
  if (lifecycle !== 'live') return
  const current = await readCurrent(queue, recording)
  const readable = { ...current, readText: () => readUndamaged(current) }
  await raiseScannedAlerts(queue.connection, readable)
  await createRaiseAlerts(queue.connection)({ id, ownerId, isRepair: true, current: readable })
}

async function raiseScannedAlerts(
  connection: DatabaseConnection,
  { recording, readText }: CurrentRecording,
): Promise<void> {
  const { id: recordingId, ownerId } = recording
  const lists = await createWatchListRepository(connection).list(ownerId)
  const watchLists = lists.filter((list) => list.isOn && hasScanned(list, recordingId) && isWatched(list, recording))
  if (watchLists.length === 0) return
  const [text, known] = [await readText(), await listAlertPlaces(connection, { ownerId, recordingId })]
  await applyWatchLists(connection, { recording, text, watchLists, known, jobId: null, isDigestDue: false })
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
