import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { caseRecordingModel } from './case-recording-model.ts'

/** Matches recordings of cases that are not in the trash. */
export const shown = { isHidden: { $ne: true as const } }

/** Hides recordings in the trash from their cases, or shows restored ones. Only applyLifecycles keeps cases in step with a recording. */
export async function setCaseRecordingsHidden(
  connection: DatabaseConnection,
  { ownerId, recordingIds, isHidden }: { ownerId: string; recordingIds: string[]; isHidden: boolean },
): Promise<void> {
  const rows = { recordingId: { $in: recordingIds.map(toObjectId) }, ownerId: toObjectId(ownerId) }
  const model = caseRecordingModel(connection)
  if (isHidden) await model.updateMany({ ...rows, ...shown }, { $set: { isHidden: true } })
  else await model.updateMany({ ...rows, isHidden: true }, { $unset: { isHidden: 1 } })
}
