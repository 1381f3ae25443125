import type { SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'
import { toRecordingRecord, type RecordingRecord } from './recording-record.ts'

/**
 * Replaces the corrections of a recording's speakers if they were written `seenVersion` times so far. Returns null where they were
 * written again meanwhile, or the owner has no such recording.
 */
export async function saveSpeakerCorrections(
  connection: DatabaseConnection,
  { ownerId, id }: { ownerId: string; id: string },
  written: { transcriptionId: string; corrections: SpeakerCorrections; seenVersion: number },
): Promise<RecordingRecord | null> {
  const { corrections, seenVersion } = written
  const stored = { transcriptionId: toObjectId(written.transcriptionId), corrections }
  const change = await nextChange(connection)
  const saved = await recordingModel(connection)
    .findOneAndUpdate(
      {
        _id: toObjectId(id),
        ownerId: toObjectId(ownerId),
        deletedAt: null,
        speakerCorrectionsVersion: seenVersion === 0 ? { $in: [0, null] } : seenVersion,
      },
      [
        {
          $set: {
            speakerCorrections: { $literal: stored },
            speakerCorrectionsVersion: { $literal: seenVersion + 1 },
            change,
            version: { $add: ['$version', 1] },
          },
        },
      ],
      { returnDocument: 'after', updatePipeline: true },
    )
    .lean<RecordingDocument>()
  return saved && toRecordingRecord(saved)
}
