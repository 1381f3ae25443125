import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { keptRecording } from './lifecycle.ts'
import { recordingModel } from './recording-model.ts'

/**
 * Announces that only notes or reviewed hits of a recording changed. Returns false where the recording is permanently deleted: the caller
 * then removes what it wrote, which the deletion may have missed. A recording in the trash keeps it, like everything else people wrote.
 */
export async function markAnnotated(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
): Promise<boolean> {
  const change = await nextChange(connection)
  const { matchedCount } = await recordingModel(connection).updateOne(
    { _id: toObjectId(recordingId), ownerId: toObjectId(ownerId), ...keptRecording },
    { $set: { change }, $inc: { version: 1, annotationVersion: 1 } },
  )
  return matchedCount === 1
}

/** Announces that the content of a recording changed. Returns false like `markAnnotated`. */
export async function markChanged(
  connection: DatabaseConnection,
  { ownerId, recordingId }: { ownerId: string; recordingId: string },
): Promise<boolean> {
  const change = await nextChange(connection)
  const { matchedCount } = await recordingModel(connection).updateOne(
    { _id: toObjectId(recordingId), ownerId: toObjectId(ownerId), ...keptRecording },
    { $set: { change }, $inc: { version: 1 } },
  )
  return matchedCount === 1
}
