import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { toStoreFailure } from '#data/audio-store/store-failure.ts'
import { tooLargeError } from '#data/audio-store/upload-errors.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import { removeUpload } from '#data/uploads/remove-uploads.ts'
import { setHeldBytes, type UploadRecord } from '#data/uploads/uploads.ts'
import { createUserTurns } from '#server/security/user-turns.ts'
import { requireExtension } from './file-kind.ts'
import type { ResumableUploadDeps } from './open-upload.ts'
import { storeUpload, type RecordUpload } from './store-upload.ts'
import { followSession, type Uploader } from './upload-session.ts'

export interface FinishingUploader extends Uploader {
  recordUpload: RecordUpload
}

/** Hashing 2 GB takes seconds of this process: a user with many complete uploads must not hold up others. */
const takeTurn = createUserTurns({ concurrency: 2, concurrencyPerUser: 1 })

/** Refusals of the file itself: sent again, it would be refused again. */
const finalRefusals: readonly ErrorCode[] = ['upload_too_large', 'unsupported_audio', 'unreadable_audio', 'no_audio']

/**
 * Checks and stores a complete upload as a recording with the id of the upload. An upload whose file is refused is removed; after any other
 * failure it can be finished again.
 */
export async function finishUpload(
  deps: ResumableUploadDeps,
  { recordUpload, ...uploader }: FinishingUploader,
  upload: UploadRecord,
): Promise<RecordingRecord> {
  const { connection, audioStore, quota, maxUploadBytes } = deps
  const { id, ownerId, name, sizeBytes } = upload
  const session = followSession(deps.sessions, uploader)
  try {
    const stored = await findRecording(connection, ownerId, id)
    if (stored) {
      await removeUpload(deps, ownerId, id) // where a crash left it
      return stored
    }
    if (sizeBytes > maxUploadBytes) throw tooLargeError(maxUploadBytes)
    const extension = requireExtension(name)
    const pending = await takeTurn(ownerId, () => audioStore.uploads.open({ id, extension }), session.signal)
    const share = quota.hold(ownerId, () => setHeldBytes(connection, upload, 0))
    const received = { id, ownerId, name, extension, pending }
    const recording = await storeUpload(deps, received, { ...session, share, recordUpload })
    await removeUpload(deps, ownerId, id)
    return recording
  } catch (error) {
    if (error instanceof AppError && finalRefusals.includes(error.code)) await removeUpload(deps, ownerId, id)
    else await setHeldBytes(connection, upload, sizeBytes).catch(() => undefined) // the first error says why
    throw session.signal.aborted ? session.signal.reason : toStoreFailure(error)
  } finally {
    session.unsubscribe()
  }
}
