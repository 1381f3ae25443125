import { findIdsWithEvent, insertMissingEvents } from '../audit/recording-events.ts'
import type { DatabaseConnection } from '../connect.ts'
import { readDatabaseTime } from '../database-time.ts'
import { recordingModel } from './recording-model.ts'
import {
  deleteAction,
  deletionTime,
  maxDeletionsPerRun,
  removeContent,
  removedRecordingFields,
  toAuditedRecording,
  type Stores,
} from './remove.ts'

/** Matches deleted recordings that still have content. */
const unfinished = { deletedAt: { $gt: new Date(0) }, purgeAt: null, contentRemovedAt: null }

/** Returns whether `finishDeletions` has something to finish. */
export async function hasUnfinishedDeletions(connection: DatabaseConnection): Promise<boolean> {
  return (await recordingModel(connection).exists(unfinished)) !== null
}

/** A deletion without an audit entry for this long was interrupted: the entry is written right after the recording is marked. */
const interruptedAfterMs = 60_000

/**
 * Finishes deletions that a crash interrupted; repeating one changes nothing. A deletion that has no entry yet and may be in progress is
 * skipped: its own entry says who deletes.
 */
export async function finishDeletions(stores: Stores): Promise<void> {
  const { connection } = stores.queue
  const found = await recordingModel(connection)
    .find(unfinished, removedRecordingFields)
    .limit(maxDeletionsPerRun)
    .lean()
  const recorded = await findIdsWithEvent(connection, found.map(toAuditedRecording), deleteAction)
  const before = new Date((await readDatabaseTime(connection)).getTime() - interruptedAfterMs)
  const deleted = found.filter((each) => recorded.has(each._id.toHexString()) || deletionTime(each) <= before)
  const event = { action: deleteAction, details: 'interrupted', doneAt: deletionTime }
  // Content is deleted even if the audit trail accepts no entry; the schedule reports the failure.
  const [recording] = await Promise.allSettled([
    insertMissingEvents(connection, deleted.map(toAuditedRecording), event),
  ])
  for (const { _id, ownerId, extension } of deleted) {
    await removeContent(stores, { id: _id.toHexString(), ownerId: ownerId.toHexString(), extension })
  }
  if (recording.status === 'rejected') throw recording.reason
}
