import { toStoreFailure } from '#data/audio-store/store-failure.ts'
import type { Reservation } from '#data/recordings/quota.ts'
import type { RecordingRecord } from '#data/recordings/recording-record.ts'
import type { AppContext } from '#server/http/context.ts'
import { disconnectSignal } from '#server/http/disconnect-signal.ts'
import type { SessionWatch } from '../sessions/service.ts'
import { receiveUpload } from './receive-upload.ts'
import { storeUpload, type RecordUpload, type StoreDeps } from './store-upload.ts'
import { followSession, type Uploader } from './upload-session.ts'

export interface UploadDeps extends StoreDeps {
  sessions: SessionWatch
  maxUploadBytes: number
}

/**
 * Receives, checks and stores one recording. It is refused as soon as the caller disconnects or the session ends, be it by signing out,
 * by deactivation or by deletion of the account: nothing is stored for somebody who is no longer signed in.
 */
export async function uploadRecording(
  deps: UploadDeps,
  ctx: AppContext,
  { recordUpload, ...uploader }: Uploader & { recordUpload: RecordUpload },
): Promise<RecordingRecord> {
  const { ownerId } = uploader
  const session = followSession(deps.sessions, uploader)
  const signal = AbortSignal.any([disconnectSignal(ctx), session.signal])
  // Reserved before the first byte; bytes beyond the announced length are added as they arrive.
  let share: Reservation | undefined
  try {
    share = await deps.quota.reserve(ownerId, ctx.request.length ?? 0)
    const upload = await receiveUpload(deps, ctx, { signal, share })
    const { requireOwner } = session
    return await storeUpload(deps, { ...upload, ownerId }, { share, signal, requireOwner, recordUpload })
  } catch (error) {
    throw session.signal.aborted ? session.signal.reason : toStoreFailure(error)
  } finally {
    session.unsubscribe()
    await share?.release()
  }
}
