import type { Connection, Types } from 'mongoose'
import type { SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { nextChange } from '../change-counter.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'

/**
 * Replaces what was corrected of a recording's speakers, if that was written `seenVersion` times so far; null where it was written again
 * meanwhile, or the owner has no such recording.
 */
export async function saveSpeakerCorrections(
  connection: Connection,
  { ownerId, id }: { ownerId: Types.ObjectId; id: Types.ObjectId },
  written: { transcriptionId: Types.ObjectId; corrections: SpeakerCorrections; seenVersion: number },
): Promise<RecordingDocument | null> {
  const { transcriptionId, corrections, seenVersion } = written
  const change = await nextChange(connection)
  return recordingModel(connection)
    .findOneAndUpdate(
      {
        _id: id,
        ownerId,
        deletedAt: null,
        speakerCorrectionsVersion: seenVersion === 0 ? { $in: [0, null] } : seenVersion,
      },
      [
        {
          $set: {
            speakerCorrections: { $literal: { transcriptionId, corrections } },
            speakerCorrectionsVersion: { $literal: seenVersion + 1 },
            change,
            version: { $add: ['$version', 1] },
          },
        },
      ],
      { returnDocument: 'after', updatePipeline: true },
    )
    .lean<RecordingDocument>()
}
