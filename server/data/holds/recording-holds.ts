import { Types } from 'mongoose'
import { nextChange } from '../change-counter.ts'
import { readDatabaseTime } from '../database-time.ts'
import { toObjectId } from '../ids.ts'
import type { Queue } from '../jobs/queue.ts'
import { applyLifecycles } from '../library/apply-lifecycles.ts'
import { keptRecording } from '../recordings/lifecycle.ts'
import { recordingModel, type RecordingDocument } from '../recordings/recording-model.ts'
import { toRecordingRecord, type RecordingRecord } from '../recordings/recording-record.ts'
import { awaitRemovals } from './removals.ts'

export interface NewHold {
  reason: string
  /** The id of a user. */
  setBy: string
  isByAdmin: boolean
}

/** Returns a hold to be stored. */
export async function toStoredHold({ connection }: Queue, { reason, setBy, isByAdmin }: NewHold) {
  return {
    _id: new Types.ObjectId(),
    reason,
    setBy: toObjectId(setBy),
    isByAdmin,
    setAt: await readDatabaseTime(connection),
  }
}

/** Matches what is not held, or held by a hold that may be replaced: only administrators may replace those of administrators. */
export function replaceableBy({ isByAdmin }: Pick<NewHold, 'isByAdmin'>) {
  return isByAdmin ? {} : { 'hold.isByAdmin': { $ne: true } }
}

/**
 * Puts a recording on hold, in place of the hold that it has. A recording in the trash is restored. When this returns, nothing of the
 * recording is being deleted any more. Returns null where there is no such recording, or an administrator holds it and `isByAdmin` is
 * false.
 */
export async function setRecordingHold(queue: Queue, id: string, hold: NewHold): Promise<RecordingRecord | null> {
  const { connection } = queue
  const change = await nextChange(connection)
  const held = await recordingModel(connection)
    .findOneAndUpdate(
      { _id: toObjectId(id), ...keptRecording, ...replaceableBy(hold) },
      {
        $set: { hold: await toStoredHold(queue, hold), deletedAt: null, change },
        $unset: { purgeAt: 1 },
        $inc: { version: 1 },
      },
      { returnDocument: 'after' },
    )
    .lean<RecordingDocument>()
  if (!held) return null
  await applyLifecycles(queue, held.ownerId.toHexString(), [id])
  await awaitRemovals(connection, [id])
  return toRecordingRecord(held)
}

/** Lifts the hold with this id; those of cases stay. Returns null where the recording has none with that id. */
export async function liftRecordingHold(
  { connection }: Queue,
  id: string,
  holdId: string,
): Promise<RecordingRecord | null> {
  const change = await nextChange(connection)
  const lifted = await recordingModel(connection)
    .findOneAndUpdate(
      { _id: toObjectId(id), 'hold._id': toObjectId(holdId) },
      { $unset: { hold: 1 }, $set: { change }, $inc: { version: 1 } },
      { returnDocument: 'after' },
    )
    .lean<RecordingDocument>()
  return lifted && toRecordingRecord(lifted)
}

/** Returns a recording of any owner, the trash included; null where it is gone. */
export async function findHoldable({ connection }: Queue, id: string): Promise<RecordingRecord | null> {
  const found = await recordingModel(connection)
    .findOne({ _id: toObjectId(id), ...keptRecording })
    .lean<RecordingDocument>()
  return found && toRecordingRecord(found)
}

/** Returns recordings with their own hold, of all owners, most recently held first. */
export async function listHeldRecordings({ connection }: Queue, limit: number): Promise<RecordingRecord[]> {
  const found = await recordingModel(connection)
    .find({ 'hold.setAt': { $gt: new Date(0) } }, { peaks: 0, speakerCorrections: 0, otherSpeakerCorrections: 0 })
    .sort({ 'hold.setAt': -1 })
    .limit(limit)
    .lean<RecordingDocument[]>()
  return found.map(toRecordingRecord)
}
