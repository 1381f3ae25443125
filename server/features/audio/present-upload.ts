import type { z } from 'zod'
import type { UploadResult } from '#contract/entities/recording.ts'
import type { UnfinishedUpload } from '#contract/endpoints/uploads.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findDuplicate } from '#data/recordings/duplicates.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { UploadRecord } from '#data/uploads/uploads.ts'

/** Returns the response for an upload that has become a recording. */
export async function presentUploadResult(
  connection: DatabaseConnection,
  recording: RecordingRecord,
): Promise<z.input<typeof UploadResult>> {
  return {
    file_id: recording.id,
    name: recording.name,
    size: recording.sizeBytes,
    duration: recording.durationMs / 1000,
    is_stereo: recording.isStereo,
    channels: recording.channels,
    peaks: recording.peaks,
    duplicate_of: await findDuplicate(connection, recording.ownerId, recording.sha256, recording.id),
  }
}

/** Presents a resumable upload to its owner. */
export function presentUnfinished(upload: UploadRecord): UnfinishedUpload {
  return {
    id: upload.id,
    name: upload.name,
    size: upload.sizeBytes,
    received: upload.receivedBytes,
    fingerprint: upload.fingerprint,
    created_at: upload.createdAt.toISOString(),
    expires_at: upload.expiresAt.toISOString(),
  }
}
