import { AppError } from '#contract/app-error.ts'
import type { AudioStore } from '#data/audio-store/audio-store.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import { findUpload, type UploadRecord } from '#data/uploads/uploads.ts'
import type { UploadDeps } from './upload-recording.ts'

export interface ResumableUploadDeps extends UploadDeps {
  /** How long an upload waits for more bytes. */
  uploadExpiryMs: number
}

interface UploadStores {
  connection: DatabaseConnection
  audioStore: AudioStore
}

/**
 * Returns a resumable upload of this owner with the size that can be relied on: after a restore or a loss of data, the file may hold less
 * than was recorded. Throws `not_found`.
 */
export async function requireUpload(
  { connection, audioStore }: UploadStores,
  ownerId: string,
  id: string,
): Promise<UploadRecord> {
  const upload = await findUpload(connection, ownerId, id)
  if (!upload) throw uploadGoneError()
  return { ...upload, receivedBytes: Math.min(upload.receivedBytes, await audioStore.uploads.size(id)) }
}

/** Returns the error for an upload that was finished, discarded or expired, or that never existed. */
export function uploadGoneError(): AppError {
  return new AppError('not_found', 'This upload is no longer there. Please begin it again.')
}
