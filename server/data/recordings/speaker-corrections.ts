import type { SpeakerCorrections } from '#contract/speaker-corrections.ts'
import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import { recordingModel, type RecordingDocument, type StoredCorrections } from './recording-model.ts'
import { toRecordingRecord, type CorrectionsRecord, type RecordingRecord } from './recording-record.ts'

/**
 * Replaces the corrections of a transcription's speakers, keeping those of other transcriptions. Returns null where corrections were
 * written since `recording` was read, or the recording was deleted.
 */
export async function saveSpeakerCorrections(
  connection: DatabaseConnection,
  { ownerId, id, speakerCorrections: last, otherSpeakerCorrections = [], ...recording }: RecordingRecord,
  written: { transcriptionId: string; corrections: SpeakerCorrections },
): Promise<RecordingRecord | null> {
  const seenVersion = recording.speakerCorrectionsVersion ?? 0
  const others = [...(last ? [last] : []), ...otherSpeakerCorrections].filter(
    ({ transcriptionId }) => transcriptionId !== written.transcriptionId,
  )
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
            speakerCorrections: { $literal: toStored(written) },
            otherSpeakerCorrections: { $literal: others.map(toStored) },
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

function toStored({ transcriptionId, corrections }: CorrectionsRecord): StoredCorrections {
  return { transcriptionId: toObjectId(transcriptionId), corrections }
}
