import { setTimeout as wait } from 'node:timers/promises'
import { AppError } from '#contract/app-error.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { PendingAudio } from '#data/audio-store/audio-store.ts'
import { toStoreFailure } from '#data/audio-store/store-failure.ts'
import { tooLargeError } from '#data/audio-store/upload-errors.ts'
import type { DatabaseConnection } from '#data/connect.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import { findRecording } from '#data/recordings/recordings.ts'
import { removeUpload } from '#data/uploads/remove-uploads.ts'
import { takeUploadTurn, type UploadTurn } from '#data/uploads/upload-turn.ts'
import { findUpload, setHeldBytes, type UploadRecord } from '#data/uploads/uploads.ts'
import { createUserTurns } from '#server/security/user-turns.ts'
import { requireExtension } from './file-kind.ts'
import { type ResumableUploadDeps, uploadGoneError } from './open-upload.ts'
import { type RecordUpload, storeUpload } from './store-upload.ts'
import { followSession, type Uploader } from './upload-session.ts'
import { uploadBusyError } from './upload-writers.ts'

export interface FinishingUploader extends Uploader {
  recordUpload: RecordUpload
}

/** Hashing 2 GB keeps this process busy for seconds: a user with many complete uploads must not hold up others. */
const takeTurn = createUserTurns({ concurrency: 2, concurrencyPerUser: 1 })

/** How often a server checks whether another one has finished with an upload. */
export const turnPollMs = 250

/** Refusals of the file itself: sending it again would fail the same way. */
const finalRefusals: readonly ErrorCode[] = ['upload_too_large', 'unsupported_audio', 'unreadable_audio', 'no_audio']

/**
 * Checks a complete upload and stores it as a recording with the same id. An upload whose file is refused is removed; after any other
 * failure it can be finished again.
 */
async function finishUpload(
  deps: ResumableUploadDeps,
  { recordUpload, turn, ...uploader }: FinishingUploader & { turn: UploadTurn },
  upload: UploadRecord,
): Promise<RecordingRecord> {
  const { connection, audioStore, quota, maxUploadBytes } = deps
  const { id, ownerId, name, sizeBytes } = upload
  const session = followSession(deps.sessions, uploader)
  try {
    const stored = await findRecording(connection, ownerId, id)
    if (stored) {
      await removeUpload(deps, ownerId, id) // left behind by a crash
      return stored
    }
    if (sizeBytes > maxUploadBytes) throw tooLargeError(maxUploadBytes)
    const extension = requireExtension(name)
    const pending = await takeTurn(ownerId, () => audioStore.uploads.open({ id, extension }), session.signal)
    const share = quota.hold(ownerId, () => setHeldBytes(connection, upload, 0))
    const received = { id, ownerId, name, extension, pending: keptInTurn(pending, turn) }
    const recording = await storeUpload(deps, received, { ...session, share, recordUpload })
    await removeUpload(deps, ownerId, id)
    return recording
  } catch (error) {
    if (error instanceof AppError && finalRefusals.includes(error.code)) await removeUpload(deps, ownerId, id)
    else await setHeldBytes(connection, upload, sizeBytes).catch(() => undefined) // the first error is the one to report
    throw session.signal.aborted ? session.signal.reason : toStoreFailure(error)
  } finally {
    session.unsubscribe()
  }
}

/**
 * Wraps a pending file so that it is not kept if its turn was lost: another server may have stored it already, and is answering with it.
 */
function keptInTurn(pending: PendingAudio, turn: UploadTurn): PendingAudio {
  return {
    ...pending,
    async keep(extension) {
      if (!(await turn.renew())) throw uploadBusyError()
      await pending.keep(extension)
    },
  }
}

/** Finishes an upload while no other server does; returns what another server has made of it in the meantime. */
export async function finishInTurn(
  deps: ResumableUploadDeps,
  uploader: FinishingUploader,
  upload: UploadRecord,
): Promise<RecordingRecord> {
  const { connection } = deps
  for (;;) {
    const turn = await takeUploadTurn(connection, upload, 'finish')
    if (turn) return finishUpload(deps, { ...uploader, turn }, upload).finally(turn.end)
    const stored = await findStoredInstead(connection, upload)
    if (stored) return stored
    await wait(turnPollMs)
  }
}

/** Returns the recording that an upload has become; undefined while the upload still exists. Throws `not_found` if there is neither. */
async function findStoredInstead(
  connection: DatabaseConnection,
  { ownerId, id }: UploadRecord,
): Promise<RecordingRecord | undefined> {
  if (await findUpload(connection, ownerId, id)) return undefined
  const stored = await findRecording(connection, ownerId, id)
  if (!stored) throw uploadGoneError()
  return stored
}
