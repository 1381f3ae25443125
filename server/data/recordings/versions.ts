import { nextChange } from '../change-counter.ts'
import type { DatabaseConnection } from '../connect.ts'
import { toObjectId } from '../ids.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import { latestDone } from '../jobs/results.ts'
import { recordingModel, type RecordingDocument } from './recording-model.ts'
import { toRecordingRecord, type RecordingRecord } from './recording-record.ts'

/** Returns the finished transcriptions of a recording, newest first, among jobs sorted as by listJobsOfRecordings. */
export function listTranscriptions(jobs: JobRecord[]): JobRecord[] {
  return jobs.filter(({ kind, state }) => kind === 'transcribe' && state === 'done')
}

/**
 * Returns the transcription to show: the newest, or a restored earlier one until a newer one finishes.
 *
 * @param jobs all of the recording's jobs, sorted as by listJobsOfRecordings
 */
export function currentTranscription(
  { restoredVersion: restored }: Pick<RecordingRecord, 'restoredVersion'>,
  jobs: JobRecord[],
): JobRecord | undefined {
  const newest = latestDone(jobs, 'transcribe')
  if (!restored || newest?.id !== restored.newestId) return newest
  return listTranscriptions(jobs).find(({ id }) => id === restored.transcriptionId) ?? newest
}

/** Returns a number that grows when another transcription becomes current. */
export function currentVersionNumber(recording: RecordingRecord, jobs: JobRecord[]): number {
  return listTranscriptions(jobs).length + (recording.restoreCount ?? 0)
}

/** Makes a transcription current until one newer than `newestId` finishes. Returns null where the owner has no such recording. */
export async function restoreTranscription(
  connection: DatabaseConnection,
  { ownerId, id }: { ownerId: string; id: string },
  { transcriptionId, newestId }: { transcriptionId: string; newestId: string },
): Promise<RecordingRecord | null> {
  const stored = { transcriptionId: toObjectId(transcriptionId), newestId: toObjectId(newestId) }
  const change = await nextChange(connection)
  const saved = await recordingModel(connection)
    .findOneAndUpdate(
      { _id: toObjectId(id), ownerId: toObjectId(ownerId), deletedAt: null },
      [
        {
          $set: {
            restoredVersion: { $literal: stored },
            restoreCount: { $add: [{ $ifNull: ['$restoreCount', 0] }, 1] },
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
